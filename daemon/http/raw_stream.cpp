#include "daemon/http/raw_stream.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/http/receiving.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// The message of an answer in JSON, else its text, in one line.
std::string line_of(const response& answer) {
  std::string line{answer.body};
  boost::system::error_code ec;
  const auto document = boost::json::parse(answer.body, ec);
  if (const auto* object = ec ? nullptr : document.if_object()) {
    const auto* message = object->if_contains("message");
    if (message != nullptr && message->is_string()) line = message->get_string().c_str();
  }
  while (line.ends_with('\n')) line.pop_back();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + "\n";
}

enum class first_read : std::uint8_t { nothing_yet, http, raw, too_few, end };

/// Takes what is there into `ahead` and judges it.
first_read read_first(connection& on, std::string& ahead) {
  std::array<char, 4096> buffer;
  error_code ec;
  const auto size = on.socket.read_some(asio::buffer(buffer), ec);
  if (ec == asio::error::would_block) return first_read::nothing_yet;
  // The end before anything was decided: a few capital letters are a stream, too.
  if (ec == asio::error::eof && !ahead.empty()) return first_read::raw;
  if (ec) return first_read::end;
  ahead.append(buffer.data(), size);
  switch (judge_first_bytes(ahead)) {
    case first_bytes::http:
      return first_read::http;
    case first_bytes::raw:
      return first_read::raw;
    case first_bytes::too_few:
      return first_read::too_few;
  }
  return first_read::end;
}

std::unique_ptr<body_taker> open(listener_state& state, const connection& on) {
  try {
    return state.raw(on.from);
  } catch (const std::exception& e) {
    state.log_failure(e.what());
    return nullptr;
  }
}

asio::awaitable<void, executor> take_stream(listener_state& state, connection& on,
                                            std::string ahead) {
  body_framing to_the_end;
  to_the_end.by = body_framing::kind::raw;
  body_rules unbounded{std::numeric_limits<std::uint64_t>::max(), std::nullopt};
  auto taker = open(state, on);
  arrival stream{to_the_end, unbounded, std::move(taker)};
  stream.ahead = std::move(ahead);
  if (stream.taker) {
    auto receiving = receive(state, on, stream);
    co_await std::move(receiving);
    if (!stream.answer) co_return;
  } else {
    stream.answer = problem(500, "internal server error");
  }
  if (stream.answer->status >= 300) {
    const std::string line = line_of(*stream.answer);
    auto sending = send(state, on, line, "");
    co_await std::move(sending);
  }
  if (!stream.ended) {
    auto draining = drain(on);
    co_await std::move(draining);
  }
}

}  // namespace

first_bytes judge_first_bytes(std::string_view bytes) {
  const auto letters = static_cast<std::size_t>(
      std::find_if(bytes.begin(), bytes.end(), [](char c) { return c < 'A' || c > 'Z'; }) -
      bytes.begin());
  if (letters > limits::method_bytes) return first_bytes::raw;
  if (letters == bytes.size()) return first_bytes::too_few;
  if (letters == 0 || bytes[letters] != ' ') return first_bytes::raw;
  if (letters + 1 == bytes.size()) return first_bytes::too_few;
  return bytes[letters + 1] == '/' ? first_bytes::http : first_bytes::raw;
}

task serve_raw_stream(listener_state& state, connection& on, head_reader& reader) {
  // Who writes a stream may have nothing to write for long.
  on.give_for_ever();
  on.idle = true;
  std::string ahead;
  for (;;) {
    const auto now = read_first(on, ahead);
    if (now == first_read::end) co_return false;
    if (now == first_read::http) {
      reader.give_back(std::move(ahead));
      on.give(state.options.header_time);
      co_return true;
    }
    if (now == first_read::raw) break;
    if (now == first_read::too_few && on.idle) {
      on.idle = false;
      on.give(state.options.header_time);
    }
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (!waited) continue;
    if (!on.timed_out) co_return false;
    break;  // some capital letters and nothing more: then it is no request
  }
  on.idle = false;
  auto taking = take_stream(state, on, std::move(ahead));
  co_await std::move(taking);
  co_return false;
}

}  // namespace tofud::http
