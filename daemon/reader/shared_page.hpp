// What the keeper and its workers know of the stream, in memory that outlives each worker.
#pragma once

#include "daemon/reader/descriptor.hpp"
#include "daemon/reader/storing_stop.hpp"
#include "protocol/limits.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofud::reader {

/// Lies in a memfd mapped by the keeper and the worker, which run the same binary: one layout.
/// Offsets and counts are bytes of the stream since its start.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a cache line for each writer
struct stream_page {
  std::uint64_t layout;  // sizeof(stream_page), to refuse anything else that sits at the descriptor

  // Written once by the keeper, before the first worker.
  std::array<char, 32> run_id;
  std::array<char, 4096> spool_path;  // empty: the stream is kept in memory only
  std::uint64_t input_inode;  // of the pipe that is stdin, to find tofu at its other end; or 0

  // Written by the keeper as the stream comes.
  alignas(64) std::atomic<std::uint64_t> stored;  // in the spool and readable there
  std::atomic<std::uint64_t> drained;             // read from stdin; what isn't stored included
  std::atomic<std::uint64_t> stop;                // storing_stop, packed
  std::atomic<std::uint32_t> eof;                 // 1: `stored` and `drained` are final
  std::atomic<std::uint32_t> worker_starts;
  std::atomic<std::uint32_t> exit_status;  // of the command + 1, before `eof`; 0: nobody knows

  // Written by the worker; the next one goes on from here.
  alignas(64) std::atomic<std::uint64_t> folded;  // stands still only when nothing is to be done
  std::atomic<std::uint64_t> heartbeat;           // one more in each turn of the worker's loop
  std::atomic<std::uint64_t> passed_on;           // bytes given to stdout (json passthrough)
  std::atomic<std::uint64_t> lines_printed;
  std::atomic<std::uint32_t> shown_as;   // how: the worker's number; 0: not yet decided
  std::atomic<std::uint32_t> port;       // listening here; 0: not yet
  std::atomic<std::uint32_t> announced;  // 1: the first line, with the page's address, is out
  std::atomic<std::uint32_t> result;     // exit status + 1 once the fold is complete; 0: unknown

  /// The newest bytes drained; the byte at offset n stands at n % size. Read it only after `eof`.
  alignas(64) std::array<char, limits::tail_bytes> tail;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// A mapping of the page.
class shared_page {
 public:
  /// A new, zeroed one. Without memfds it is private to this process and has no descriptor.
  /// Throws std::bad_alloc.
  static shared_page create();
  /// The one behind an inherited descriptor; nothing if there is none such.
  static std::optional<shared_page> open(int fd);

  shared_page(shared_page&& other) noexcept;
  shared_page& operator=(shared_page&&) = delete;
  ~shared_page();

  stream_page* operator->() const { return page_; }
  stream_page& operator*() const { return *page_; }
  int fd() const { return fd_.get(); }

 private:
  shared_page(descriptor fd, stream_page* page) : fd_{std::move(fd)}, page_{page} {}
  descriptor fd_;
  stream_page* page_;
};

/// Takes bytes that stand at `offset` of the stream into the tail.
void keep_tail(stream_page& page, std::uint64_t offset, std::span<const char> bytes);

struct stream_tail {
  std::uint64_t first = 0;  // the offset of the first byte
  std::string bytes;
};

/// After `eof`: the newest bytes that are not stored. Those between `stored` and `first` are lost.
stream_tail read_tail(const stream_page& page);

/// Null-terminated text of the page, cut to what fits.
void write_text(std::span<char> place, std::string_view text);

}  // namespace tofud::reader
