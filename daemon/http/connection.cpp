#include "daemon/http/connection.hpp"

#include "daemon/http/foreign.hpp"
#include "daemon/http/head_reader.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <string>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using task = asio::awaitable<bool, executor>;  // false: the connection is no use any more

constexpr asio::as_tuple_t<asio::use_awaitable_t<executor>> as_result{};

/// Bytes discarded after an answer, of a client that still sends.
constexpr std::size_t most_discarded = 256 * limits::kib;

enum class got { bytes, nothing_yet, end };

/// Reads what is there; not in the coroutine, whose frame the buffer would live in.
got read_available(tcp_socket& socket, head_reader& reader, head_reader::state& state) {
  std::array<char, 4096> buffer;
  error_code ec;
  const auto size = socket.read_some(asio::buffer(buffer), ec);
  if (ec == asio::error::would_block) return got::nothing_yet;
  if (ec) return got::end;
  state = reader.feed({buffer.data(), size});
  return got::bytes;
}

got discard_available(tcp_socket& socket, std::size_t& discarded) {
  std::array<char, 4096> buffer;
  error_code ec;
  discarded += socket.read_some(asio::buffer(buffer), ec);
  if (ec == asio::error::would_block) return got::nothing_yet;
  return ec || discarded > most_discarded ? got::end : got::bytes;
}

task send(listener_state& state, connection& on, std::string_view head, std::string_view body) {
  while (!head.empty() || !body.empty()) {
    const std::array<asio::const_buffer, 2> both{asio::buffer(head), asio::buffer(body)};
    error_code ec;
    const auto sent = on.socket.write_some(both, ec);
    if (ec == asio::error::would_block) {
      on.give(state.options.stalled_after);
      auto [waited] = co_await on.socket.async_wait(tcp_socket::wait_write, as_result);
      if (waited) co_return false;
      continue;
    }
    if (ec) co_return false;
    const auto of_head = std::min(sent, head.size());
    head.remove_prefix(of_head);
    body.remove_prefix(sent - of_head);
  }
  co_return true;
}

/// Waits for the client's end, so that our close does not take the answer away from it.
task linger(listener_state& state, connection& on) {
  error_code ignored;
  on.socket.shutdown(tcp_socket::shutdown_send, ignored);
  on.give(state.options.linger_time);
  std::size_t discarded = 0;
  for (;;) {
    const auto now = discard_available(on.socket, discarded);
    if (now == got::end) co_return false;
    if (now == got::bytes) continue;
    auto [waited] = co_await on.socket.async_wait(tcp_socket::wait_read, as_result);
    if (waited) co_return false;
  }
}

std::string chunk_size(std::size_t size) {
  std::array<char, 20> text;
  char* end = std::to_chars(text.data(), text.data() + 16, size, 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  return {text.data(), end};
}

task send_pieces(listener_state& state, connection& on, const request& asked, response& answer) {
  const bool chunked = asked.version == http_version::v1_1;
  std::string out = std::exchange(answer.body, {});
  for (bool more = true; more;) {
    more = answer.pieces(out);
    if (!out.empty()) {
      std::string size;
      if (chunked) {
        size = chunk_size(out.size());
        out += "\r\n";
      }
      auto sending = send(state, on, size, out);
      if (!co_await std::move(sending)) co_return false;
      out.clear();
    }
    on.give(state.options.stalled_after);
    co_await asio::post(on.socket.get_executor(), as_result);
    if (on.timed_out) co_return false;
  }
  if (chunked) {
    auto ending = send(state, on, "0\r\n\r\n", "");
    co_return co_await std::move(ending);
  }
  co_return false;
}

task respond(listener_state& state, connection& on, const request& asked, response& answer,
             connection_end then) {
  apply_conditions(asked, answer);
  if (answer.pieces && asked.version == http_version::v1_0) then = connection_end::close;
  const std::string head = response_head(asked, answer, then);
  std::string_view body{answer.body};
  if (asked.is_head() || answer.pieces) body = {};
  auto sending = send(state, on, head, body);
  if (!co_await std::move(sending)) co_return false;
  if (answer.pieces && !asked.is_head()) {
    auto rest = send_pieces(state, on, asked, answer);
    if (!co_await std::move(rest)) co_return false;
  }
  if (then == connection_end::keep) co_return true;
  auto lingering = linger(state, on);
  co_return co_await std::move(lingering);
}

/// True when a whole head is in `reader`; after a bad or late one the client has been told.
task read_head(listener_state& state, connection& on, head_reader& reader) {
  auto read = head_reader::state::incomplete;
  on.idle = reader.empty();
  if (!on.idle) read = reader.feed({});
  while (read == head_reader::state::incomplete) {
    const auto now = read_available(on.socket, reader, read);
    if (now == got::end) co_return false;
    if (now == got::bytes) {
      if (on.idle && !reader.empty()) {
        on.idle = false;
        on.give(state.options.header_time);
      }
      continue;
    }
    auto [waited] = co_await on.socket.async_wait(tcp_socket::wait_read, as_result);
    if (!waited) continue;
    if (!on.timed_out || reader.empty()) co_return false;
    on.timed_out = false;
    const request unknown;
    auto late = problem(408, "the request's head took too long");
    auto answering = respond(state, on, unknown, late, connection_end::close);
    co_await std::move(answering);
    co_return false;
  }
  on.idle = false;
  if (read == head_reader::state::complete) co_return true;
  const request unknown;
  auto bad = problem(reader.error().status, reader.error().message);
  auto answering = respond(state, on, unknown, bad, connection_end::close);
  co_await std::move(answering);
  co_return false;
}

bool is_zero(std::string_view length) {
  return !length.empty() && length.find_first_not_of('0') == std::string_view::npos;
}

/// What is refused whatever the path; all of these but the method end the connection.
std::optional<response> refuse_request(const request& asked, std::uint16_t port,
                                       connection_end& then) {
  if (auto foreign = refuse_foreign(asked, port)) {
    then = connection_end::close;
    return foreign;
  }
  if (asked.count("transfer-encoding") > 0) {
    then = connection_end::close;
    const bool smuggled = asked.count("content-length") > 0 || asked.version == http_version::v1_0;
    return problem(smuggled ? 400 : 501, "Transfer-Encoding: requests have no bodies here");
  }
  for (const auto& field : asked.headers) {
    if (field.name != "content-length" || is_zero(field.value)) continue;
    then = connection_end::close;
    return problem(413, "Content-Length: requests have no bodies here");
  }
  if (asked.method != "GET" && asked.method != "HEAD") {
    auto answer = problem(405, "only GET and HEAD");
    answer.headers.push_back({"Allow", "GET, HEAD"});
    return answer;
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
    return problem(400, "Upgrade: a WebSocket begins with GET, HTTP/1.1 and Connection: Upgrade");
  }
  if (asked.count("sec-websocket-version") != 1 || asked.first("sec-websocket-version") != "13") {
    auto answer = problem(426, "Sec-WebSocket-Version: 13 is spoken here");
    answer.headers.push_back({"Sec-WebSocket-Version", "13"});
    answer.headers.push_back({"Upgrade", "websocket"});
    return answer;
  }
  if (asked.count("sec-websocket-key") != 1 ||
      !is_websocket_key(asked.first("sec-websocket-key"))) {
    return problem(400, "Sec-WebSocket-Key: not sixteen bytes of base64");
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

/// The answer; nothing if the connection was handed over.
std::optional<response> route(const listener_state& state, connection& on, request& asked,
                              head_reader& reader, const std::shared_ptr<void>& ticket) {
  const auto found = state.routes.find(asked);
  if (found.plain) return (*found.plain)(asked);
  if (!found.streaming) return problem(404, "no such path");
  if (auto refused = refuse_upgrade(asked)) return refused;
  std::string rest = reader.take_rest();
  handover giving{on.socket, asked, rest, ticket};
  auto answer = (*found.streaming)(giving);
  if (answer && !rest.empty()) (void)reader.feed(rest);
  return answer;
}

/// One request; false: the connection is over or somebody else's.
task serve_request(listener_state& state, connection& on, head_reader& reader,
                   const std::shared_ptr<void>& ticket) {
  request asked = reader.take();
  auto then = end_asked(state, asked);
  std::optional<response> answer = refuse_request(asked, state.port, then);
  if (!answer) {
    std::string failure;
    try {
      answer = route(state, on, asked, reader, ticket);
    } catch (const std::exception& e) {
      failure = e.what();
      if (failure.empty()) failure = "exception";
    }
    if (!failure.empty()) {
      state.complain(failure);
      answer = problem(500, "this request met a fault of tofud");
    }
  }
  if (!answer) co_return false;
  auto responding = respond(state, on, asked, *answer, then);
  co_return co_await std::move(responding);
}

}  // namespace

asio::awaitable<void, executor> serve_connection(std::shared_ptr<listener_state> state,
                                                 tcp_socket socket, std::shared_ptr<void> ticket,
                                                 std::optional<response> refused) {
  connection on{std::move(socket)};
  state->open.push_back(on);
  state->sweep_later();
  on.give(state->options.header_time);
  if (refused) {
    const request unknown;
    auto answering = respond(*state, on, unknown, *refused, connection_end::close);
    co_await std::move(answering);
    co_return;
  }
  head_reader reader;
  for (;;) {
    auto reading = read_head(*state, on, reader);
    if (!co_await std::move(reading)) co_return;
    on.deadline = steady::time_point::max();
    auto serving = serve_request(*state, on, reader, ticket);
    if (!co_await std::move(serving)) co_return;
    if (state->closed) co_return;
    on.give(reader.empty() ? state->options.idle_time : state->options.header_time);
  }
}

}  // namespace tofud::http
