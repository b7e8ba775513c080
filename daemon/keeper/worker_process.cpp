#include "daemon/keeper/worker_process.hpp"

#include "daemon/keeper/worker_link.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::keeper {
namespace {

/// Above all descriptors a worker gets, so that putting one in its place never overwrites another.
constexpr int out_of_the_way = 20;

/// The two objects posix_spawn takes, freed at the end of the scope.
struct spawn_plan {
  spawn_plan() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  ~spawn_plan() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;

  /// `own` becomes `place` in the child; what we don't have reads as empty there.
  void give(int own, int place) {
    if (own < 0) {
      ::posix_spawn_file_actions_addopen(&files, place, "/dev/null", O_RDWR, 0);
    } else {
      ::posix_spawn_file_actions_adddup2(&files, own, place);
    }
  }

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

}  // namespace

// The bare call, since glibc 2.36's <sys/pidfd.h> is no header for C++.
worker_process::worker_process(pid_t pid)
    : pid_{pid}, pidfd_{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))} {}

std::optional<worker_process> worker_process::start(const std::string& executable,
                                                    const std::vector<std::string>& argv,
                                                    const worker_files& files) {
  // Without these a worker would know nothing, or spin.
  if (files.page < 0 || files.wakeup < 0 || files.liveness < 0) return std::nullopt;
  spawn_plan plan;
  std::array<files::descriptor, 7> high;
  const std::array own = {files.page,   files.spool, files.wakeup, files.liveness,
                          files.events, files.input, files.told};
  for (std::size_t i = 0; i < own.size(); ++i) {
    high[i] = files::descriptor{::fcntl(own[i], F_DUPFD_CLOEXEC, out_of_the_way)};
    plan.give(high[i].get(), inherited::page + static_cast<int>(i));
  }
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  // POSIX's argv is not const, for history's sake; posix_spawn leaves the strings alone.
  for (const auto& word : argv) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  if (::posix_spawn(&pid, executable.c_str(), &plan.files, &plan.attributes, arguments.data(),
                    ::environ) != 0) {
    return std::nullopt;
  }
  return worker_process{pid};
}

std::optional<int> worker_process::ended() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  return status;
}

// Safe: nobody else waits for our children, so until ended() says so the number is this worker's.
void worker_process::signal(int number) const { ::kill(pid_, number); }

std::string ending_text(int status) {
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace tofud::keeper
