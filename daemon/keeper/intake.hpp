// stdin into the spool: one half drains, the other stores, a ring between them.
#pragma once

#include "daemon/keeper/ring.hpp"
#include "daemon/keeper/shared_page.hpp"
#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/wakeup.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <sys/types.h>

namespace tofud::keeper {

/// Each half runs on its own thread, neither throws or allocates. When both are done, `page.eof` is
/// set and both wakeups are notified. What it is given must outlive it.
class intake {
 public:
  intake(int input, input_kind kind, byte_ring& ring, stream_page& page, const wakeup& worker,
         const wakeup& keeper);

  /// All that comes goes on to `fd` as well, whatever becomes of the spool, and waits for who reads
  /// that: what a slow reader does to the writer it would do without us. Then the end of the input
  /// is not the end of the stream: `page.eof` is the caller's. To be called before the halves; the
  /// input does not block.
  void pass_on_to(int fd) noexcept;
  /// `drain` ends, whatever may still come.
  void give_up() noexcept;

  /// Goes on where a process that is dead stopped, `stored` bytes of the stream being in the spool:
  /// to be called before the halves. What it had read and the ring holds is drained and counted.
  void inherit(std::uint64_t stored) noexcept;

  /// Reads the input to its end. Waits for nothing else (a live input), whatever happens to the
  /// rest.
  void drain() noexcept;
  /// Writes what was drained. After a stop it only makes room.
  void store(spool_writer& out) noexcept;
  /// Both, where there are no threads.
  void drain_and_store(spool_writer& out) noexcept;

 private:
  void count(std::span<const char> bytes) noexcept;
  bool put(spool_writer& out, std::span<const char> bytes) noexcept;
  void half_done() noexcept;
  ssize_t read_input(std::span<char> room) const noexcept;
  bool pass_on(std::span<const char> bytes) const noexcept;

  int input_;
  input_kind kind_;
  byte_ring& ring_;
  stream_page& page_;
  const wakeup& worker_;
  const wakeup& keeper_;
  std::uint64_t drained_ = 0;  // our own: the page can be written by a worker gone wrong
  std::uint64_t stored_ = 0;
  bool storing_ = true;
  int onward_ = -1;  // -1: nowhere
  wakeup enough_;    // `drain` is to end
  std::atomic<bool> stopped_{false};
  std::atomic<int> halves_{2};
};

/// The last resort, without memory: tofu writes on, and nobody remembers what.
void drain_to_nowhere(int input) noexcept;

}  // namespace tofud::keeper
