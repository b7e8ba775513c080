#include "daemon/http/sending.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/http/pending.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/held_memory.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace tofud::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

enum class rest_read { bytes, nothing_yet, end };

rest_read discard_available(stream_socket& socket, std::size_t& discarded) {
  std::array<char, 16 * limits::kib> buffer;
  error_code ec;
  discarded += socket.read_some(asio::buffer(buffer), ec);
  if (ec == asio::error::would_block) return rest_read::nothing_yet;
  return ec || discarded > limits::discarded_bytes ? rest_read::end : rest_read::bytes;
}

std::string chunk_size(std::size_t size) {
  std::array<char, 20> text;
  char* end = std::to_chars(text.data(), text.data() + 16, size, 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  return {text.data(), end};
}

}  // namespace

task send(listener_state& state, connection& on, std::string_view head, std::string_view body) {
  while (!head.empty() || !body.empty()) {
    const std::array<asio::const_buffer, 2> both{asio::buffer(head), asio::buffer(body)};
    error_code ec;
    const auto sent = on.socket.write_some(both, ec);
    if (ec == asio::error::would_block) {
      on.give(state.options.stalled_after);
      auto [waited] = co_await on.socket.async_wait(stream_socket::wait_write, as_result);
      if (waited) {
        if (on.timed_out) ++state.counted.stalled_writes;
        co_return false;
      }
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
  on.socket.shutdown(stream_socket::shutdown_send, ignored);
  // All that it sent was read, so the close takes no answer away.
  if (on.in_the_way) co_return false;
  on.give(state.options.linger_time);
  std::size_t discarded = 0;
  for (;;) {
    const auto now = discard_available(on.socket, discarded);
    if (now == rest_read::end) co_return false;
    if (now == rest_read::bytes) continue;
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (waited) co_return false;
  }
}

namespace {

enum class client : std::uint8_t { silent, speaks, gone };

client look_at(connection& on) {
  char next = 0;
  error_code ec;
  on.socket.peek(next, ec);
  if (ec == asio::error::would_block) return client::silent;
  return ec ? client::gone : client::speaks;
}

/// Waits; false when the client goes meanwhile. One that has sent its next request is not `watched`
/// any more: that it goes can't be seen before that is read.
task pause(connection& on, std::chrono::milliseconds time, bool& watched) {
  on.give_for_ever();
  timer until{on.socket.get_executor(), time};
  const auto told = std::make_shared<pending_wake>();
  told->waiting = &until;
  if (watched) {
    on.socket.async_wait(stream_socket::wait_read, [told](error_code ec) {
      if (!ec) told->wake();
    });
  }
  co_await until.async_wait(as_result);
  told->waiting = nullptr;
  if (!watched) co_return true;
  error_code ignored;
  on.socket.cancel(ignored);
  if (!told->settled) co_return true;
  const auto now = look_at(on);
  watched = now == client::silent;  // TLS had something to say to itself
  co_return now != client::gone;
}

task send_pieces(listener_state& state, connection& on, const request& asked, response& answer) {
  const bool chunked = asked.version == http_version::v1_1;
  std::string out = std::exchange(answer.body, {});
  operations::held_memory held{operations::memory_for::answers};
  bool watched = true;
  for (bool more = true; more;) {
    // Cut off, so that it does not look whole.
    if (asked.permit && !asked.permit->empty()) co_return false;
    {
      const operations::doing answering{asked.method, asked.path};
      more = answer.pieces(out);
    }
    held.hold(out.capacity());
    const bool nothing = out.empty();
    if (!nothing) {
      std::string size;
      if (chunked) {
        size = chunk_size(out.size());
        out += "\r\n";
      }
      auto sending = send(state, on, size, out);
      if (!co_await std::move(sending)) co_return false;
      out.clear();
    }
    if (nothing && more && answer.pause.count() > 0) {
      if (state.closed) co_return false;
      auto pausing = pause(on, answer.pause, watched);
      if (!co_await std::move(pausing)) co_return false;
      continue;
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

}  // namespace

task respond(listener_state& state, connection& on, const request& asked, response& answer,
             connection_end then) {
  apply_conditions(asked, answer);
  ++state.counted.answers.at(static_cast<std::size_t>(answer.status / 100));
  if (answer.pieces && asked.version == http_version::v1_0) then = connection_end::close;
  const operations::held_memory held{operations::memory_for::answers, answer.body.capacity()};
  const std::string head = response_head(asked, answer, then);
  std::string_view body = answer.text();
  if (asked.is_head() || answer.pieces || is_bodiless(answer.status)) body = {};
  auto sending = send(state, on, head, body);
  if (!co_await std::move(sending)) co_return false;
  if (answer.pieces && !asked.is_head() && !is_bodiless(answer.status)) {
    auto rest = send_pieces(state, on, asked, answer);
    if (!co_await std::move(rest)) co_return false;
  }
  if (then == connection_end::keep) co_return true;
  auto lingering = linger(state, on);
  co_return co_await std::move(lingering);
}

}  // namespace tofud::http
