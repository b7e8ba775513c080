#include "daemon/http/connection.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/http/message/body_framing.hpp"
#include "daemon/http/message/foreign.hpp"
#include "daemon/http/message/head_reader.hpp"
#include "daemon/http/pending.hpp"
#include "daemon/http/raw_stream.hpp"
#include "daemon/http/receiving.hpp"
#include "daemon/http/sending.hpp"
#include "daemon/operations/doing.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <exception>
#include <string>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
enum class head_read { bytes, nothing_yet, end };

/// Reads what is there; not in the coroutine, whose frame the buffer would live in.
head_read read_available(stream_socket& socket, head_reader& reader, head_reader::state& state) {
  std::array<char, 4096> buffer;
  error_code ec;
  const auto size = socket.read_some(asio::buffer(buffer), ec);
  if (ec == asio::error::would_block) return head_read::nothing_yet;
  if (ec) return head_read::end;
  state = reader.feed({buffer.data(), size});
  return head_read::bytes;
}

/// True when a whole head is in `reader`; else the client is gone, or gets `refused`.
task read_head(listener_state& state, connection& on, head_reader& reader,
               std::optional<response>& refused) {
  auto read = head_reader::state::incomplete;
  on.idle = reader.empty();
  if (!on.idle) read = reader.feed({});
  while (read == head_reader::state::incomplete) {
    const auto now = read_available(on.socket, reader, read);
    if (now == head_read::end) co_return false;
    if (now == head_read::bytes) {
      if (on.idle && !reader.empty()) {
        on.idle = false;
        on.give(state.options.header_time);
      }
      continue;
    }
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (!waited) continue;
    if (on.timed_out && !reader.empty()) {
      ++state.counted.slow_heads;
      refused = problem(408, "the request's header took too long");
    }
    co_return false;
  }
  on.idle = false;
  if (read == head_reader::state::complete) co_return true;
  const bool is_long = reader.error().status == 414 || reader.error().status == 431;
  ++(is_long ? state.counted.long_heads : state.counted.bad_heads);
  refused = problem(reader.error().status, reader.error().message);
  co_return false;
}

/// What is refused whatever the path. Foreigners, and bodies whose end is unclear, end the
/// connection.
std::optional<response> refuse_request(const listener_state& state, request& asked,
                                       body_framing& framing, connection_end& then) {
  if (auto refused = state.check ? state.check(asked) : refuse_foreign(asked)) {
    then = connection_end::close;
    return refused;
  }
  auto found = framing_of(asked);
  if (auto* refused = std::get_if<response>(&found)) {
    then = connection_end::close;
    return std::move(*refused);
  }
  framing = *std::get_if<body_framing>(&found);
  if (!framing.is_empty()) then = connection_end::close;  // unless somebody takes all of it
  if (asked.count("expect") > 0 && !equal_without_case(asked.joined("expect"), "100-continue")) {
    return problem(417, "Expect: only 100-continue is supported");
  }
  return std::nullopt;
}

/// Sixteen bytes of base64: 22 letters and two `=`.
bool is_websocket_key(std::string_view key) {
  constexpr std::string_view alphabet{
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
  return key.size() == 24 && key.ends_with("==") &&
         key.substr(0, 22).find_first_not_of(alphabet) == std::string_view::npos;
}

/// RFC 6455, 4.2.1. Nothing if the upgrade is right or none was asked for.
std::optional<response> refuse_upgrade(const request& asked) {
  if (!asked.lists("upgrade", "websocket")) return std::nullopt;
  if (asked.method != "GET" || asked.version != http_version::v1_1 || !asked.wants_websocket()) {
    return problem(400,
                   "Upgrade: a WebSocket handshake needs GET, HTTP/1.1 and Connection: Upgrade");
  }
  if (asked.count("sec-websocket-version") != 1 || asked.first("sec-websocket-version") != "13") {
    auto answer = problem(426, "Sec-WebSocket-Version: only 13 is supported");
    answer.headers.push_back({"Sec-WebSocket-Version", "13"});
    answer.headers.push_back({"Upgrade", "websocket"});
    return answer;
  }
  if (asked.count("sec-websocket-key") != 1 ||
      !is_websocket_key(asked.first("sec-websocket-key"))) {
    return problem(400, "Sec-WebSocket-Key: must be 16 bytes in base64");
  }
  return std::nullopt;
}

connection_end end_asked(const listener_state& state, const request& asked) {
  if (state.closed || asked.lists("connection", "close")) return connection_end::close;
  if (asked.version == http_version::v1_1 || asked.lists("connection", "keep-alive")) {
    return connection_end::keep;
  }
  return connection_end::close;
}

/// One request on its way to its answer.
struct exchange {
  explicit exchange(request taken) : asked{std::move(taken)} {}

  request asked;
  body_framing framing;
  connection_end then = connection_end::close;
  std::optional<response> answer;
  std::optional<arrival> body;  // set: who takes it gives the answer
  pending<response> later;      // else, if it is promised
  bool is_promised = false;
  bool handed_over = false;
};

response not_found(const router::found& found) {
  if (found.allow.empty()) return problem(404, "no such path");
  auto answer = problem(405, "this path supports only " + found.allow);
  answer.headers.push_back({"Allow", found.allow});
  return answer;
}

void open_body(listener_state& state, const router::body& by, exchange& turn) {
  if (turn.framing.by == body_framing::kind::length && turn.framing.length > by.rules.most_bytes) {
    ++state.counted.long_bodies;
    turn.answer = problem(413, "Content-Length: this path takes at most " +
                                   std::to_string(by.rules.most_bytes) + " bytes");
    return;
  }
  auto opened = by.open(turn.asked);
  if (auto* refused = std::get_if<response>(&opened)) {
    turn.answer = std::move(*refused);
    return;
  }
  turn.body.emplace(turn.framing, by.rules,
                    std::move(*std::get_if<std::unique_ptr<body_taker>>(&opened)));
  turn.body->permit = turn.asked.permit;
  turn.body->wants_continue = turn.asked.version == http_version::v1_1 &&
                              equal_without_case(turn.asked.first("expect"), "100-continue");
}

void hand_over(const router::stream& to, exchange& turn, connection& on, head_reader& reader,
               const std::shared_ptr<void>& ticket) {
  turn.answer = refuse_upgrade(turn.asked);
  if (turn.answer) {
    turn.then = connection_end::close;  // what follows may be frames
    return;
  }
  std::string rest = reader.take_rest();
  handover giving{on.socket, turn.asked, rest, ticket};
  turn.answer = to(giving);
  turn.handed_over = !turn.answer;
  if (turn.answer) reader.give_back(std::move(rest));
}

/// Leaves the answer in `turn`, or who gives it.
void route(listener_state& state, exchange& turn, connection& on, head_reader& reader,
           const std::shared_ptr<void>& ticket) {
  const auto found = state.routes.find(turn.asked);
  if (found.by == nullptr) {
    turn.answer = not_found(found);
    return;
  }
  if (const auto* by = std::get_if<router::body>(found.by)) return open_body(state, *by, turn);
  if (!turn.framing.is_empty()) {
    turn.answer = problem(413, "this path takes no body");
  } else if (const auto* answers = std::get_if<router::answer>(found.by)) {
    turn.answer = (*answers)(turn.asked);
  } else if (const auto* streams = std::get_if<router::stream>(found.by)) {
    hand_over(*streams, turn, on, reader, ticket);
  } else if (const auto* promises = std::get_if<router::later>(found.by)) {
    turn.is_promised = true;
    (*promises)(turn.asked, turn.later.giver());
  }
}

/// Runs `step`; an exception of a handler is an answer.
template <class Step>
void guarded(listener_state& state, exchange& turn, Step step) {
  std::string failure;
  try {
    step();
    return;
  } catch (const std::exception& e) {
    failure = e.what();
  }
  state.log_failure(failure.empty() ? "exception" : failure);
  turn.body.reset();
  turn.is_promised = false;
  turn.answer = problem(500, "internal server error");
}

/// Uploads, and whether the daemon is well; of those beyond the limit nobody else is served.
bool must_go_on(const request& asked) {
  if (asked.method != "GET") return true;
  return asked.path == "/healthz" || asked.path == "/readyz";
}

void refuse_reserved(listener_state& state, connection& on, exchange& turn) {
  turn.then = connection_end::close;
  if (must_go_on(turn.asked)) return;
  on.in_the_way = true;
  ++state.counted.refused_reserved;
  turn.answer = problem(503, "too many connections");
}

/// Reads, which each take memory. What goes on by itself is bounded elsewhere, and who operates the
/// daemon has to see why.
void refuse_for_memory(listener_state& state, exchange& turn) {
  const std::string_view path = turn.asked.path;
  if (!state.options.why_full || must_go_on(turn.asked) || path == "/metrics" || path == "/version")
    return;
  const std::string why = state.options.why_full();
  if (why.empty()) return;
  ++state.counted.refused_memory;
  turn.answer = problem(503, why);
  turn.answer->headers.push_back({"Retry-After", std::to_string(limits::memory_again.count())});
}

/// True if the request may be routed at once; else when `ready` is settled.
bool is_prepared(const listener_state& state, const request& asked,
                 pending<std::optional<response>>& ready) {
  const auto& prepare = state.routes.preparation();
  if (!prepare) return true;
  return prepare(asked, ready.giver());
}

/// Routes know paths without what stands before them.
void put_below_base(const request& asked, response& answer) {
  if (asked.base.empty()) return;
  for (header& field : answer.headers) {
    if (field.name == "Location" && field.value.starts_with('/'))
      field.value = asked.base + field.value;
  }
}

/// From now on it is not counted as unauthenticated.
void become_known(listener_state& state, connection& on) {
  if (std::exchange(on.is_known, true)) return;
  --state.unauthenticated;
}

/// A connection is counted as unauthenticated until its client has shown who it is.
class counted_unauthenticated {
 public:
  counted_unauthenticated(listener_state& state, connection& on) : state_{state}, on_{on} {
    ++state_.unauthenticated;
    if (on.from.is_ours || on.from.is_admitted) become_known(state, on);
  }
  counted_unauthenticated(const counted_unauthenticated&) = delete;
  counted_unauthenticated& operator=(const counted_unauthenticated&) = delete;
  ~counted_unauthenticated() { become_known(state_, on_); }

 private:
  listener_state& state_;
  connection& on_;
};

/// Until when an unauthenticated client that asks too often has to wait; nothing: all others get a
/// turn, no more.
std::optional<steady::time_point> has_to_wait(listener_state& state, connection& on) {
  if (on.is_known) return std::nullopt;
  const auto now = steady::now();
  if (now - on.second >= std::chrono::seconds{1}) {
    on.second = now;
    on.requests = 0;
  }
  if (++on.requests < limits::unauthenticated_requests_per_second) return std::nullopt;
  ++state.counted.slowed_unauthenticated;
  return on.second + std::chrono::seconds{1};
}

void tell_answer(listener_state& state, const request& asked, const response& answer) {
  if (!state.answered) return;
  try {
    state.answered(asked, answer);
  } catch (const std::exception& e) {
    state.log_failure(e.what());
  }
}

/// One request; false: the connection is over or somebody else's.
task serve_request(listener_state& state, connection& on, head_reader& reader,
                   const std::shared_ptr<void>& ticket) {
  exchange turn{reader.take()};
  turn.asked.via = on.accepted.via;
  turn.asked.port = on.accepted.port;
  turn.asked.is_secure = on.socket.is_encrypted();
  turn.asked.from = on.from;
  turn.then = end_asked(state, turn.asked);
  guarded(state, turn,
          [&] { turn.answer = refuse_request(state, turn.asked, turn.framing, turn.then); });
  if (turn.asked.is_known) become_known(state, on);
  if (!turn.answer && on.accepted.reserved) refuse_reserved(state, on, turn);
  if (!turn.answer) guarded(state, turn, [&] { refuse_for_memory(state, turn); });
  if (!turn.answer) {
    pending<std::optional<response>> ready;
    bool prepared = true;
    guarded(state, turn, [&] { prepared = is_prepared(state, turn.asked, ready); });
    if (!prepared) {
      auto settling = settled(on, ready.wake());
      co_await std::move(settling);
      if (auto given = ready.take()) turn.answer = std::move(*given);
    }
  }
  if (!turn.answer) {
    const operations::doing answering{turn.asked.method, turn.asked.path};
    guarded(state, turn, [&] { route(state, turn, on, reader, ticket); });
  }
  if (turn.handed_over) {
    ++state.counted.answers[turn.asked.wants_websocket() ? 1 : 2];
    response begun;
    begun.status = turn.asked.wants_websocket() ? 101 : 200;
    tell_answer(state, turn.asked, begun);
    co_return false;
  }
  if (turn.body) {
    turn.body->ahead = reader.take_rest();
    auto receiving = receive(state, on, *turn.body);
    co_await std::move(receiving);
    turn.answer = std::move(turn.body->answer);
    if (!turn.answer) co_return false;
    if (turn.body->is_over()) turn.then = end_asked(state, turn.asked);
    reader.give_back(std::move(turn.body->ahead));
  } else if (turn.is_promised) {
    auto settling = settled(on, turn.later.wake());
    co_await std::move(settling);
    turn.answer = turn.later.take();
    if (!turn.answer) {
      state.log_failure("a request was dropped without a response");
      turn.answer = problem(500, "internal server error");
    }
  }
  tell_answer(state, turn.asked, *turn.answer);
  put_below_base(turn.asked, *turn.answer);
  state.routes.hide_in(*turn.answer);
  auto responding = respond(state, on, turn.asked, *turn.answer, turn.then);
  co_return co_await std::move(responding);
}

/// What a connection to a TLS port begins with: a TLS record of a handshake, or not.
enum class first_byte : std::uint8_t { nothing_yet, handshake, letter, other };

first_byte look_at_first(connection& on) {
  char next = 0;
  error_code ec;
  on.socket.next_layer().receive(asio::buffer(&next, 1),
                                 net::stream_socket::plain_socket::message_peek, ec);
  if (ec == asio::error::would_block) return first_byte::nothing_yet;
  if (ec) return first_byte::other;
  if (next == 0x16) return first_byte::handshake;
  return next >= 'A' && next <= 'Z' ? first_byte::letter : first_byte::other;
}

/// False: it is none, and a client of plain HTTP was told so.
task begins_like_tls(listener_state& state, connection& on) {
  for (;;) {
    const auto first = look_at_first(on);
    if (first == first_byte::handshake) co_return true;
    if (first == first_byte::other) co_return false;
    if (first == first_byte::nothing_yet) {
      auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
      if (waited) co_return false;
      continue;
    }
    ++state.counted.plain_on_tls;
    on.socket.decrypt();
    auto answer = problem(400, "this port speaks TLS; use https://");
    const request unknown;
    auto answering = respond(state, on, unknown, answer, connection_end::close);
    co_await std::move(answering);
    co_return false;
  }
}

/// The handshake of TLS, within header_time. False: the connection is no use.
task shake_hands(listener_state& state, connection& on) {
  on.idle = true;  // not when the listener closes: nobody waits for an answer yet
  auto beginning = begins_like_tls(state, on);
  bool is_tls = co_await std::move(beginning);
  while (is_tls) {
    const auto ec = on.socket.handshake();
    if (!ec) {
      ++state.counted.handshakes;
      on.idle = false;
      co_return true;
    }
    if (ec != asio::error::would_block) {
      ++state.counted.handshake_failures;
      state.log_failure("TLS handshake with " + on.from.address + ": " + on.socket.tls()->why());
      co_return false;
    }
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (waited) break;
  }
  ++state.counted.handshake_failures;
  if (on.timed_out)
    state.log_failure("TLS handshake with " + on.from.address + ": it took too long");
  co_return false;
}

}  // namespace

asio::awaitable<void, executor> serve_connection(std::shared_ptr<listener_state> state,
                                                 stream_socket socket, acceptance accepted,
                                                 peer from, std::shared_ptr<void> ticket,
                                                 std::optional<response> refused) {
  const auto via = accepted.via;
  connection on{std::move(socket), accepted, std::move(from)};
  state->open.push_back(on);
  const counted_unauthenticated counted{*state, on};
  state->sweep_later();
  on.give(state->options.header_time);
  if (on.socket.is_encrypted()) {
    auto shaking = shake_hands(*state, on);
    if (!co_await std::move(shaking)) co_return;
    on.give(state->options.header_time);
  }
  head_reader reader{state->options.header_bytes};
  bool is_http = true;
  if (!refused && via == transport::local && state->raw) {
    auto serving = serve_raw_stream(*state, on, reader);
    is_http = co_await std::move(serving);
  }
  while (is_http && !refused) {
    auto reading = read_head(*state, on, reader, refused);
    if (!co_await std::move(reading)) break;
    on.give_for_ever();
    auto serving = serve_request(*state, on, reader, ticket);
    if (!co_await std::move(serving)) break;
    if (state->closed || on.accepted.reserved) break;
    // Requests that are at hand already would else be answered in one turn of the loop, as long as
    // they come.
    if (const auto later = has_to_wait(*state, on)) {
      timer until{on.socket.get_executor(), *later};
      co_await until.async_wait(as_result);
    } else {
      co_await asio::post(on.socket.get_executor(), as_result);
    }
    if (state->closed) break;
    on.give(reader.empty() ? state->options.idle_time : state->options.header_time);
  }
  if (!refused) co_return;
  const request unknown;
  auto answering = respond(*state, on, unknown, *refused, connection_end::close);
  co_await std::move(answering);
}

}  // namespace tofud::http
