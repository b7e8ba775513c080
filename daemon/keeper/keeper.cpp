#include "daemon/keeper/keeper.hpp"

#include "daemon/keeper/intake.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/run_id.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <new>
#include <optional>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <system_error>
#include <thread>

namespace tofud::keeper {
namespace {

/// A shell may start us with some of 0, 1, 2 closed; our own files must not take their place.
void open_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    [[maybe_unused]] const int same = ::open("/dev/null", O_RDWR);  // takes the lowest free number
  }
}

/// Over the shared memory, if there is any.
std::unique_ptr<byte_ring> ring_of(const shared_page& page) {
  if (!page.ring_memory().empty())
    return std::make_unique<byte_ring>(page->ring, page.ring_memory());
  return std::make_unique<byte_ring>(64 * limits::kib);
}

/// The bare call: the C library keeps two numbers to itself, and a process that gets one of them
/// from another ends. A fault of our own ends us whatever is ignored.
void set_disposition(int number, sighandler_t to) noexcept {
  struct {
    sighandler_t handler;
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } const wanted{to, 0, nullptr, 0};
  if (::syscall(SYS_rt_sigaction, number, &wanted, nullptr, sizeof wanted.mask) != 0)
    std::signal(number, to);
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

  const auto page = shared_page::create(options.ring_bytes);
  page->input_inode = S_ISFIFO(input.st_mode) ? input.st_ino : 0;
  page->input = S_ISREG(input.st_mode) ? input_kind::file : input_kind::live;
  const auto ring = ring_of(page);
  const wakeup worker_bell;
  const wakeup keeper_bell;
  intake in{options.input, page->input, *ring, *page, worker_bell, keeper_bell};

  // From here on stdin is being read, however long a disk takes to open a file.
  const auto drain = start_thread([&in] { in.drain(); });

  auto [out, remarks] = open_spool(options.state_dir, options.env, options.caps,
                                   std::chrono::system_clock::now(), spool::random_digits);
  write_text(page->run_id, out.id());
  write_text(page->spool_path, out.path());

  std::optional<std::jthread> store;
  if (drain) store = start_thread([&in, &to = out] { in.store(to); });
  if (!drain) in.drain_and_store(out);
  if (drain && !store) in.store(out);
  for (const auto& remark : remarks) spool::notice(remark);

  std::array<int, 2> liveness = {-1, -1};
  [[maybe_unused]] const int ignored = ::pipe2(liveness.data(), O_CLOEXEC);
  const files::descriptor liveness_read{liveness[0]};
  const files::descriptor liveness_write{liveness[1]};
  const worker_files files{
      page.fd(),       out.lines_fd(), worker_bell.fd(),         liveness_read.get(),
      out.events_fd(), options.input,  options.worker.told.get()};
  return supervisor{options.worker, page, files, worker_bell, keeper_bell, out.where()}.run();
}

}  // namespace

void ignore_signals() noexcept {
  for (int number = 1; number <= SIGRTMAX; ++number) {
    const bool is_of_jobs = number == SIGTSTP || number == SIGCONT;  // Ctrl-Z is for all of the job
    if (is_of_jobs || number == SIGKILL || number == SIGSTOP) continue;
    // A parent may have ignored this one; then our workers' ends could not be seen.
    set_disposition(number, number == SIGCHLD ? SIG_DFL : SIG_IGN);
  }
  // What a parent has set for us before exec, such as the alarm of `perl -e 'alarm …; exec'`.
  ::alarm(0);
  constexpr itimerval never{};
  for (const auto timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF})
    ::setitimer(timer, &never, nullptr);
  ::prctl(PR_SET_PDEATHSIG, 0);
}

int keep(const keeper_options& options) noexcept {
  ignore_signals();
  open_standard_descriptors();
  try {
    return keep_pipe(options);
  } catch (...) {
    // Threads that run are joined by now, so the stream is over; without them it is still to come.
    drain_to_nowhere(options.input);
    spool::notice("tofud failed, not tofu: not enough memory to follow the run");
    return 1;
  }
}

}  // namespace tofud::keeper
