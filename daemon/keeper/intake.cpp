#include "daemon/keeper/intake.hpp"

#include "daemon/keeper/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <span>
#include <unistd.h>

namespace tofud::keeper {
namespace {

/// A full pipe in one read; also how much is written before the worker is told.
constexpr std::size_t piece_bytes = limits::pipe_bytes;

/// A background process that reads its terminal gets EIO until it is in the foreground; a broken
/// disk gives it for ever. So: a few seconds, unless it is a terminal.
constexpr int io_errors = 50;

}  // namespace

/// read(2) that waits for bytes; 0 or less: the end.
ssize_t intake::read_input(std::span<char> room) const noexcept {
  for (int failures = 0;;) {
    const auto n = ::read(input_, room.data(), room.size());
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EIO)) return n;
    if (errno == EAGAIN) {
      std::array<pollfd, 2> ready = {pollfd{input_, POLLIN, 0}, pollfd{enough_.fd(), POLLIN, 0}};
      ::poll(ready.data(), ready.size(), -1);
      if (ready[1].revents != 0) return 0;
    } else if (errno == EIO) {
      if (++failures > io_errors && ::isatty(input_) == 0) return n;
      ::poll(nullptr, 0, 100);
    }
  }
}

void drain_to_nowhere(int input) noexcept {
  std::array<char, 64 * limits::kib> aside;
  for (;;) {
    const auto n = ::read(input, aside.data(), aside.size());
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return;
    if (n < 0) ::usleep(10'000);
  }
}

void intake::pass_on_to(int fd) noexcept { onward_ = fd; }

void intake::give_up() noexcept { enough_.notify(); }

/// False: nobody takes it any more.
bool intake::pass_on(std::span<const char> bytes) const noexcept {
  while (!bytes.empty()) {
    const auto n = ::write(onward_, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd ready{onward_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

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
    const auto n = read_input(room);
    if (n <= 0) break;
    count(room.first(static_cast<std::size_t>(n)));
    if (storing) ring_.commit(static_cast<std::size_t>(n));
  }
  ring_.close();
  half_done();
}

void intake::inherit(std::uint64_t stored) noexcept {
  stored_ = stored;
  page_.stored = stored;
  drained_ = page_.drained;
  const auto stop = unpacked(page_.stop);
  if (stop) {
    // What was read aside and not counted is behind what is stored, and lost with the rest of it.
    stopped_ = true;
    storing_ = stop->reason == stop_reason::ring_full;
  }
  const std::uint64_t known = stop ? stop->offset : drained_;
  const std::uint64_t end = ring_.inherit(stored, known, piece_bytes);
  if (stop) {
    ring_.close();
    return;
  }
  ring_.read(
      drained_, std::max(end, drained_),
      [this](std::uint64_t at, std::span<const char> bytes) { keep_tail(page_, at, bytes); });
  drained_ = std::max(end, drained_);
  page_.drained = drained_;
}

void intake::store(spool_writer& out) noexcept {
  bool passes_on = onward_ >= 0;
  for (bool storing = storing_;;) {
    auto bytes = ring_.wait_for_bytes();
    if (bytes.empty()) break;
    bytes = bytes.first(std::min(bytes.size(), piece_bytes));
    storing = storing && put(out, bytes);
    passes_on = passes_on && pass_on(bytes);
    ring_.release(bytes.size());
  }
  half_done();
}

void intake::drain_and_store(spool_writer& out) noexcept {
  // Through the ring as well: whoever inherits it finds there what was read last.
  std::array<char, 64 * limits::kib> aside;
  for (bool storing = storing_;;) {
    std::span<char> room{aside};
    if (storing) room = ring_.room().first(std::min(ring_.room().size(), aside.size()));
    const auto n = read_input(room);
    if (n <= 0) break;
    const std::span<const char> bytes{room.data(), static_cast<std::size_t>(n)};
    count(bytes);
    if (!storing) continue;
    ring_.commit(bytes.size());
    storing = put(out, bytes);
    ring_.release(bytes.size());
  }
  half_done();
  half_done();
}

void intake::count(std::span<const char> bytes) noexcept {
  keep_tail(page_, drained_, bytes);
  drained_ += bytes.size();
  page_.drained = drained_;
}

bool intake::put(spool_writer& out, std::span<const char> bytes) noexcept {
  const auto [written, stop] = out.append(bytes);
  stored_ += written;
  page_.stored = stored_;
  if (stop) {
    page_.stop = packed(*stop);
    stopped_ = onward_ < 0;  // else the ring is needed all the same
    keeper_.notify();
  }
  worker_.notify();
  return !stop;
}

void intake::half_done() noexcept {
  if (halves_.fetch_sub(1) != 1) return;
  if (onward_ < 0) page_.eof = 1;
  worker_.notify();
  keeper_.notify();
}

}  // namespace tofud::keeper
