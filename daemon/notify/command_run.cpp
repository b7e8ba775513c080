#include "daemon/notify/command_run.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/notify/errors.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::notify {
namespace {

using steady = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& each : texts) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

/// Standard input from `from`, the rest to nowhere; a group and signals of its own. 0, else why
/// not.
int start(const std::vector<std::string>& argv, const std::vector<std::string>& variables, int from,
          ::pid_t& pid) {
  auto arguments = argv;
  auto environment = variables;
  environment.emplace_back("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  environment.emplace_back("LANG=C.UTF-8");
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int failed = ::posix_spawn(&pid, argv.front().c_str(), &actions, &attributes,
                                   pointers(arguments).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

int milliseconds_until(steady::time_point then) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(then - steady::now()).count();
  return left > 0 ? static_cast<int>(left) : 0;
}

/// Writing where nobody reads any more is a failure in this scope, whatever the process does with
/// signals: of a pipe's end the writing thread is told.
class without_sigpipe {
 public:
  without_sigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;
  ~without_sigpipe() {
    const timespec at_once{};
    while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

/// Until all is written, nobody reads any more, or it is too late.
void write_until(files::descriptor to, std::string_view input, steady::time_point then) {
  const without_sigpipe writing;
  while (!input.empty() && steady::now() < then) {
    const ssize_t written = ::write(to.get(), input.data(), input.size());
    if (written > 0) {
      input.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd writable{to.get(), POLLOUT, 0};
      ::poll(&writable, 1, milliseconds_until(then));
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace

text::failure run_command(const std::vector<std::string>& argv, const std::string& input,
                          const std::vector<std::string>& variables, std::chrono::seconds at_most) {
  const auto then = steady::now() + at_most;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {error::not_started, std::strerror(errno)};
  files::descriptor reads{ends[0]}, writes{ends[1]};
  ::fcntl(writes.get(), F_SETFL, O_NONBLOCK);
  ::pid_t pid = -1;
  if (const int failed = start(argv, variables, reads.get(), pid); failed != 0)
    return {error::not_started, std::strerror(failed)};
  reads = files::descriptor{};
  const files::descriptor watched{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
  write_until(std::move(writes), input, then);
  pollfd over{watched.get(), POLLIN, 0};
  while (::poll(&over, 1, milliseconds_until(then)) < 0 && errno == EINTR) {
  }
  const bool is_late = (over.revents & POLLIN) == 0;
  // Also what it left behind.
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (is_late) return {error::command_late, std::to_string(at_most.count())};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return {error::command_failed,
          std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status))};
}

}  // namespace tofud::notify
