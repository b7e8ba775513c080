#include "daemon/http/receiving.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/http/pending.hpp"
#include "daemon/operations/doing.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <exception>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using state_of_body = chunked_decoder::state;
using nothing = asio::awaitable<void, executor>;

enum class body_read { bytes, nothing_yet, end, reset };

/// Of the one thread; a buffer per connection would be most of what a connection costs.
std::array<char, limits::body_read_bytes>& shared_buffer() {
  static thread_local std::array<char, limits::body_read_bytes> buffer;
  return buffer;
}

/// Takes content that is there, from what was read ahead or from the socket.
body_read take_available(connection& on, arrival& body, std::string& piece) {
  if (!body.ahead.empty()) {
    body.ahead.erase(0, body.cutter.feed(body.ahead, piece));
    return body_read::bytes;
  }
  auto& buffer = shared_buffer();
  const auto most =
      static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), body.cutter.wanted()));
  error_code ec;
  const auto size = on.socket.read_some(asio::buffer(buffer.data(), most), ec);
  if (ec == asio::error::would_block) return body_read::nothing_yet;
  if (ec == asio::error::eof) return body_read::end;
  if (ec) return body_read::reset;
  const std::string_view bytes{buffer.data(), size};
  body.ahead = bytes.substr(body.cutter.feed(bytes, piece));
  return body_read::bytes;
}

response fault(listener_state& state, std::string_view what) {
  state.log_failure(what.empty() ? "exception" : what);
  return problem(500, "internal server error");
}

/// Runs `call`; an exception of the taker is an answer.
template <class Call>
void guarded(listener_state& state, arrival& body, Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    body.answer = fault(state, e.what());
  } catch (...) {
    body.answer = fault(state, "unknown exception");
  }
}

void break_off(arrival& body) {
  if (body.taker) body.taker->broken();
  body.taker.reset();
}

void break_off(arrival& body, response why) {
  break_off(body);
  body.answer = std::move(why);
}

/// Waits for content. When there is none, the body has ended one way or another.
nothing next_piece(listener_state& state, connection& on, arrival& body, std::string& piece) {
  while (piece.empty() && body.cutter.now() == state_of_body::more) {
    const auto now = take_available(on, body, piece);
    if (now == body_read::bytes) continue;
    if (now == body_read::end && body.framing.by == body_framing::kind::raw) {
      body.ended = true;
      co_return;
    }
    if (now != body_read::nothing_yet) {
      break_off(body);
      co_return;
    }
    if (body.rules.stalled_after) {
      on.give(*body.rules.stalled_after);
    } else {
      on.give_for_ever();
    }
    on.deadline = std::min(on.deadline, body.until);
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (!waited && !on.cut) continue;
    if (on.timed_out && !on.cut) {
      on.timed_out = false;
      const bool stalled = steady::now() < body.until;
      ++(stalled ? state.counted.stalled_bodies : state.counted.slow_bodies);
      break_off(body, problem(408, stalled ? "the rest of the request's body did not come in time"
                                           : "the request's body took too long"));
    } else {
      break_off(body);
    }
    co_return;
  }
  if (body.cutter.now() == state_of_body::malformed) {
    break_off(body, problem(400, "the chunks of the request's body are malformed"));
  } else if (body.cutter.now() == state_of_body::too_long) {
    ++state.counted.long_bodies;
    break_off(body, problem(413, "the request's body is over " +
                                     std::to_string(body.rules.most_bytes) + " bytes"));
  } else if (body.cutter.now() == state_of_body::done) {
    body.ended = true;
  }
}

/// Takes the rest of a body for nothing: who sends it may be an apply, which a closed pipe would
/// kill.
class discard_body : public body_taker {
 public:
  explicit discard_body(std::string why) : why_{std::move(why)} {}
  void take(std::string, std::function<void(std::optional<response>)> next) override {
    next(std::nullopt);
  }
  void end(std::function<void(response)> answer) override { answer(problem(401, why_)); }

 private:
  std::string why_;
};

void stop_if_revoked(arrival& body) {
  if (!body.permit || body.permit->empty()) return;
  auto why = std::make_unique<discard_body>(*body.permit);
  body.permit.reset();
  break_off(body);
  body.taker = std::move(why);
}

/// Gives `piece` away and waits until the next one is wanted.
nothing give_piece(listener_state& state, connection& on, arrival& body, std::string& piece) {
  pending<std::optional<response>> next;
  guarded(state, body, [&] {
    const operations::doing taking{"taking a body"};
    body.taker->take(std::move(piece), next.giver());
  });
  piece.clear();
  if (body.answer) co_return;
  auto settling = settled(on, next.wake());
  co_await std::move(settling);
  if (!next.is_settled()) {
    break_off(body);
  } else if (auto said = next.take()) {
    body.answer = std::move(*said);
  } else {
    body.answer = fault(state, "a request body was dropped by its handler");
  }
}

nothing ask_for_answer(listener_state& state, connection& on, arrival& body) {
  pending<response> answer;
  guarded(state, body, [&] {
    const operations::doing ending{"ending a body"};
    body.taker->end(answer.giver());
  });
  if (body.answer) co_return;
  auto settling = settled(on, answer.wake());
  co_await std::move(settling);
  body.answer = answer.take();
  if (answer.is_settled() && !body.answer)
    body.answer = fault(state, "a request was dropped without a response");
}

/// A few bytes to a client that waits for them: a socket that can't hold them is no use.
bool say_continue(connection& on) {
  constexpr std::string_view words{"HTTP/1.1 100 Continue\r\n\r\n"};
  error_code ec;
  return on.socket.write_some(asio::buffer(words), ec) == words.size() && !ec;
}

/// False when the body is broken, or taken and answered.
bool goes_on(const arrival& body) { return body.taker && !body.answer; }

}  // namespace

nothing settled(connection& on, std::shared_ptr<pending_wake> of) {
  if (of->settled) co_return;
  on.give_for_ever();
  timer waiting{on.socket.get_executor(), timer::time_point::max()};
  struct scope {
    scope(connection& on, pending_wake& of, timer& waiting) : on_{on}, of_{of} {
      on_.waiting = of_.waiting = &waiting;
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { on_.waiting = of_.waiting = nullptr; }
    connection& on_;
    pending_wake& of_;
  } registered{on, *of, waiting};
  while (!of->settled && !on.cut) co_await waiting.async_wait(as_result);
}

nothing receive(listener_state& state, connection& on, arrival& body) {
  on.receiving = true;
  if (body.rules.within) body.until = steady::now() + *body.rules.within;
  if (body.wants_continue && body.ahead.empty() && !body.framing.is_empty()) {
    if (!say_continue(on)) break_off(body);
  }
  std::string piece;
  std::size_t this_turn = 0;
  while (goes_on(body)) {
    auto waiting = next_piece(state, on, body, piece);
    co_await std::move(waiting);
    if (goes_on(body)) stop_if_revoked(body);
    if (!piece.empty() && goes_on(body)) {
      this_turn += piece.size();
      auto giving = give_piece(state, on, body, piece);
      co_await std::move(giving);
    }
    piece.clear();
    if (body.ended && goes_on(body)) {
      auto asking = ask_for_answer(state, on, body);
      co_await std::move(asking);
      break;
    }
    if (this_turn >= limits::body_turn_bytes) {
      this_turn = 0;
      co_await asio::post(on.socket.get_executor(), as_result);
    }
  }
  body.taker.reset();
  on.receiving = false;
}

nothing drain(connection& on) {
  on.receiving = true;
  on.give_for_ever();
  for (;;) {
    error_code ec;
    on.socket.read_some(asio::buffer(shared_buffer()), ec);
    if (ec && ec != asio::error::would_block) break;
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (waited || on.cut) break;
  }
  on.receiving = false;
}

}  // namespace tofud::http
