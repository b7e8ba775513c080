#include "daemon/reader/keeper.hpp"

#include "daemon/reader/intake.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/reader/run_id.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <new>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <thread>

namespace tofud::reader {
namespace {

/// A shell may start us with some of 0, 1, 2 closed; our own files must not take their place.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    [[maybe_unused]] const int same = ::open("/dev/null", O_RDWR);  // takes the lowest free number
  }
}

std::unique_ptr<byte_ring> largest_ring(std::size_t bytes) {
  constexpr std::size_t least = limits::pipe_bytes;
  for (;; bytes /= 2) {
    try {
      return std::make_unique<byte_ring>(bytes);
    } catch (const std::bad_alloc&) {
      if (bytes <= least) throw;
    }
  }
}

/// Joins at the end of its scope. Nothing if there are no more threads to be had.
template <class Work>
std::optional<std::jthread> start_thread(Work work) {
  try {
    return std::jthread{work};
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

int keep_pipe(const keeper_options& options) {
  struct stat input {};
  ::fstat(options.input, &input);
  // More room for tofu while we are not running; kernels that refuse lose nothing else.
  ::fcntl(options.input, F_SETPIPE_SZ, static_cast<int>(limits::pipe_bytes));

  const auto page = shared_page::create();
  page->input_inode = S_ISFIFO(input.st_mode) ? input.st_ino : 0;
  const auto ring = largest_ring(options.ring_bytes);
  const wakeup worker_bell;
  const wakeup keeper_bell;
  intake in{options.input, S_ISREG(input.st_mode) ? input_kind::file : input_kind::live,
            *ring,         *page,
            worker_bell,   keeper_bell};

  // From here on stdin is being read, however long a disk takes to open a file.
  const auto drain = start_thread([&in] { in.drain(); });

  auto [spool, remarks] = open_spool(options.state_dir, options.env, options.caps,
                                     std::chrono::system_clock::now(), random_digits);
  write_text(page->run_id, spool.id());
  write_text(page->spool_path, spool.path());

  std::optional<std::jthread> store;
  if (drain) store = start_thread([&in, &to = spool] { in.store(to); });
  if (!drain) in.drain_and_store(spool);
  if (drain && !store) in.store(spool);
  for (const auto& remark : remarks) notice(remark);

  std::array<int, 2> liveness = {-1, -1};
  [[maybe_unused]] const int ignored = ::pipe2(liveness.data(), O_CLOEXEC);
  const descriptor liveness_read{liveness[0]};
  const descriptor liveness_write{liveness[1]};
  const worker_files files{page.fd(), spool.lines_fd(), worker_bell.fd(), liveness_read.get(),
                           spool.events_fd()};
  return supervisor{options.worker, page, files, worker_bell, keeper_bell, spool.where()}.run();
}

/// The last resort: tofu writes on, and nobody remembers what.
void drain_to_nowhere(int input) noexcept {
  std::array<char, 64 * limits::kib> aside;
  for (;;) {
    const auto n = ::read(input, aside.data(), aside.size());
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return;
    if (n < 0) ::usleep(10'000);
  }
}

}  // namespace

void ignore_signals() noexcept {
  for (const int number :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2, SIGTTOU, SIGTTIN}) {
    std::signal(number, SIG_IGN);
  }
  // A parent may have ignored this one; then our workers' ends could not be seen.
  std::signal(SIGCHLD, SIG_DFL);
}

int keep(const keeper_options& options) noexcept {
  ignore_signals();
  open_standard_descriptors();
  try {
    return keep_pipe(options);
  } catch (...) {
    // Threads that run are joined by now, so the stream is over; without them it is still to come.
    drain_to_nowhere(options.input);
    notice("tofud failed, not tofu: there was not enough memory to follow the run");
    return 1;
  }
}

}  // namespace tofud::reader
