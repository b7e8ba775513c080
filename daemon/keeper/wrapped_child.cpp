#include "daemon/keeper/wrapped_child.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::keeper {
namespace {

/// Out of the way of the descriptors that a script numbers by hand.
constexpr int above_the_shells = 100;

// POSIX's argv is not const, for history's sake; posix_spawn leaves the strings alone.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace

// The bare call, since glibc 2.36's <sys/pidfd.h> is no header for C++.
wrapped_child::wrapped_child(pid_t pid) noexcept
    : pid_{pid}, pidfd_{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))} {}

wrapped_child::started wrapped_child::start(const child_plan& plan,
                                            const original_signals& signals) noexcept try {
  const std::vector<char*> argv = pointers(plan.argv);
  const std::vector<char*> env = pointers(plan.env);
  // Not closed on exec: the child's own.
  const files::descriptor held{plan.held_fd < 0 ? -1
                                                : ::fcntl(plan.held_fd, F_DUPFD, above_the_shells)};
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  if (plan.stdout_fd >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, plan.stdout_fd, STDOUT_FILENO);
  }
  if (plan.stderr_fd >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, plan.stderr_fd, STDERR_FILENO);
  }
  signals.apply(attributes);
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, plan.program.c_str(), &files, &attributes, argv.data(), env.data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return {std::nullopt, error};
  return {wrapped_child{pid}, 0};
} catch (const std::bad_alloc&) {
  return {std::nullopt, ENOMEM};
}

std::optional<int> wrapped_child::ended() const noexcept {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  return status;
}

// Safe: nobody else waits for our children, so until ended() says so the number is this child's.
void wrapped_child::signal(int number) const noexcept { ::kill(pid_, number); }

int shell_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

int status_of_no_start(int error) { return error == ENOENT || error == ENOTDIR ? 127 : 126; }

}  // namespace tofud::keeper
