// What the keeper and its workers know of the stream, in memory that outlives each worker.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/ring.hpp"
#include "daemon/keeper/storing_stop.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofud::keeper {

/// What keeps the stream's input open. See `stream_page::input`.
enum class input_kind : std::uint32_t {
  none,  // the stream is written by somebody else
  live,  // somebody writes it and must not wait: what the disk can't take is dropped
  file,  // nobody minds waiting
};

/// Shared by the keeper and the worker, which run the same binary: one layout. Offsets and counts
/// are bytes of the stream since its start.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a cache line for each writer
struct stream_page {
  std::uint64_t layout;  // sizeof(stream_page), to refuse anything else that sits at the descriptor

  // Written once by the keeper, before the first worker.
  std::array<char, 32> run_id;
  std::array<char, 4096> spool_path;  // empty: the stream is kept in memory only
  std::uint64_t input_inode;  // of the pipe that is stdin, to find tofu at its other end; or 0
  input_kind input;           // what the worker is to read on when the keeper is dead

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
  std::atomic<std::uint64_t> retold;  // bytes of the stream whose text for people, if any, is out
  std::atomic<std::uint64_t> lines_printed;
  std::atomic<std::uint32_t> shown_as;   // how: the worker's number; 0: not yet decided
  std::atomic<std::uint32_t> port;       // listening here; 0: not yet
  std::atomic<std::uint32_t> announced;  // 1: the first line, with the page's address, is out
  std::atomic<std::uint32_t> result;     // exit status + 1 once the fold is complete; 0: unknown

  ring_positions ring;  // of ring_memory(), if there is one

  /// The newest bytes drained; the byte at offset n stands at n % size. Read it only after `eof`.
  alignas(64) std::array<char, limits::tail_bytes> tail;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Memory that two processes may map: a file without a name, or memory of System V where
/// RLIMIT_FSIZE is too small for a file. Gone with the last process that has it.
class shared_memory {
 public:
  shared_memory() = default;
  /// New and zero. `fd()` is -1 where there is none to share; then it is this process's own. Empty
  /// if there is no address space.
  static shared_memory create(std::size_t bytes);
  /// The first `bytes` of what is behind an inherited descriptor, which it takes; empty if it is no
  /// such.
  static shared_memory open(int fd, std::size_t bytes);
  shared_memory(shared_memory&& other) noexcept;
  shared_memory& operator=(shared_memory&& other) noexcept;
  ~shared_memory();

  std::span<char> bytes() const { return bytes_; }
  /// All that the descriptor stands for.
  std::size_t whole() const { return whole_; }
  /// The rest of it is mapped as well, if there is address space. Moves nothing that is mapped.
  std::span<char> map_rest();
  int fd() const { return fd_.get(); }
  explicit operator bool() const { return bytes_.data() != nullptr; }

 private:
  std::span<char> bytes_{}, rest_{};
  std::size_t whole_ = 0;
  int id_ = -1;  // of System V; -1: a file
  files::descriptor fd_;
  files::descriptor teller_;  // of System V a socket where its number waits for whoever looks
};

/// A mapping of the page and of the ring behind it.
class shared_page {
 public:
  /// A new, zeroed one, with a ring of at most so many bytes: as much as there is address space
  /// for. Where nothing can be shared it is private to this process and has no descriptor. Throws
  /// std::bad_alloc.
  static shared_page create(std::size_t ring_bytes = 0);
  /// The one behind an inherited descriptor; nothing if there is none such. Its ring may be
  /// missing.
  static std::optional<shared_page> open(int fd);

  stream_page* operator->() const { return page_; }
  stream_page& operator*() const { return *page_; }
  int fd() const { return memory_.fd(); }
  /// Empty: there is none.
  std::span<char> ring_memory() const { return ring_; }

 private:
  explicit shared_page(shared_memory memory);

  shared_memory memory_;
  stream_page* page_ = nullptr;
  std::span<char> ring_{};
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

}  // namespace tofud::keeper
