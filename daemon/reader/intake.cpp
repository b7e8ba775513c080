#include "daemon/reader/intake.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <span>
#include <unistd.h>

namespace tofud::reader {
namespace {

/// A full pipe in one read; also how much is written before the worker is told.
constexpr std::size_t piece_bytes = limits::pipe_bytes;

/// A background process that reads its terminal gets EIO until it is in the foreground; a broken
/// disk gives it for ever. So: a few seconds, unless it is a terminal.
constexpr int io_errors = 50;

/// read(2) that waits for bytes; 0 or less: the end.
ssize_t read_input(int input, std::span<char> room) noexcept {
  for (int failures = 0;;) {
    const auto n = ::read(input, room.data(), room.size());
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EIO)) return n;
    if (errno == EAGAIN) {
      pollfd ready{input, POLLIN, 0};
      ::poll(&ready, 1, -1);
    } else if (errno == EIO) {
      if (++failures > io_errors && ::isatty(input) == 0) return n;
      ::poll(nullptr, 0, 100);
    }
  }
}

}  // namespace

intake::intake(int input, input_kind kind, byte_ring& ring, stream_page& page, const wakeup& worker,
               const wakeup& keeper)
    : input_{input}, kind_{kind}, ring_{ring}, page_{page}, worker_{worker}, keeper_{keeper} {}

void intake::drain() noexcept {
  std::array<char, 64 * limits::kib> aside;  // read into once nothing more is stored
  for (;;) {
    std::span<char> room{aside};
    if (!stopped_) {
      room = kind_ == input_kind::live ? ring_.room() : ring_.wait_for_room();
      if (room.empty()) {
        // A write that fails later has the lower offset and the last word: see put().
        std::uint64_t none = 0;
        page_.stop.compare_exchange_strong(none, packed({stop_reason::ring_full, 0, drained_}));
        stopped_ = true;
        ring_.close();
        keeper_.notify();
        continue;
      }
    }
    room = room.first(std::min(room.size(), piece_bytes));
    const bool storing = room.data() != aside.data();
    const auto n = read_input(input_, room);
    if (n <= 0) break;
    count(room.first(static_cast<std::size_t>(n)));
    if (storing) ring_.commit(static_cast<std::size_t>(n));
  }
  ring_.close();
  half_done();
}

void intake::store(spool& out) noexcept {
  for (bool storing = true;;) {
    auto bytes = ring_.wait_for_bytes();
    if (bytes.empty()) break;
    bytes = bytes.first(std::min(bytes.size(), piece_bytes));
    storing = storing && put(out, bytes);
    ring_.release(bytes.size());
  }
  half_done();
}

void intake::drain_and_store(spool& out) noexcept {
  std::array<char, 64 * limits::kib> room;
  for (bool storing = true;;) {
    const auto n = read_input(input_, room);
    if (n <= 0) break;
    const std::span<const char> bytes{room.data(), static_cast<std::size_t>(n)};
    count(bytes);
    storing = storing && put(out, bytes);
  }
  half_done();
  half_done();
}

void intake::count(std::span<const char> bytes) noexcept {
  keep_tail(page_, drained_, bytes);
  drained_ += bytes.size();
  page_.drained = drained_;
}

bool intake::put(spool& out, std::span<const char> bytes) noexcept {
  const auto [written, stop] = out.append(bytes);
  stored_ += written;
  page_.stored = stored_;
  if (stop) {
    page_.stop = packed(*stop);
    stopped_ = true;
    keeper_.notify();
  }
  worker_.notify();
  return !stop;
}

void intake::half_done() noexcept {
  if (halves_.fetch_sub(1) != 1) return;
  page_.eof = 1;
  worker_.notify();
  keeper_.notify();
}

}  // namespace tofud::reader
