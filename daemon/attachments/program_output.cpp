#include "daemon/attachments/program_output.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tofud::attachments {
namespace {

using clock = std::chrono::steady_clock;
using files::descriptor;

struct pipe_ends {
  descriptor read, write;
};

std::optional<pipe_ends> make_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return pipe_ends{descriptor{ends[0]}, descriptor{ends[1]}};
}

constexpr int no_start = 127;  // as a shell has it

// Between fork(2) and exec: nothing that allocates.
[[noreturn]] void become(char* const* argv, int out, int err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int none = ::open("/dev/null", O_RDONLY);
  if (none < 0 || ::dup2(none, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
      ::dup2(err, STDERR_FILENO) < 0) {
    ::_exit(no_start);
  }
  ::execvp(argv[0], argv);
  constexpr std::string_view cause = "Error: it can't be started";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, cause.data(), cause.size());
  ::_exit(no_start);
}

/// The line with an error's summary: "│ Error: Failed to read the plan" is `Error: …` in a frame.
std::string first_error(std::string_view text) {
  const auto at = text.find("Error: ");
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at);
  return std::string{text.substr(0, text.find_first_of("\r\n\x1b"))};
}

class running_program {
 public:
  running_program(pid_t pid, descriptor out, descriptor err)
      : pid_{pid}, out_{std::move(out)}, err_{std::move(err)} {}
  ~running_program() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    wait();
  }
  running_program(const running_program&) = delete;
  running_program& operator=(const running_program&) = delete;

  std::string follow(const program_call& call, const std::function<void(std::string_view)>& take) {
    std::uint64_t taken = 0;
    while (out_ || err_) {
      if (!wait_for_bytes(call.until)) return stop("took too long");
      const std::string_view bytes = read(out_, out_ready_);
      taken += bytes.size();
      if (taken > call.most)
        return stop("printed more than " + std::to_string(call.most / limits::mib) + " MiB");
      if (!bytes.empty()) take(bytes);
      const std::string_view said = read(err_, err_ready_);
      said_.append(said.substr(0, limits::read_bytes - std::min(said_.size(), limits::read_bytes)));
    }
    return ending();
  }

 private:
  /// False: the time is over.
  bool wait_for_bytes(clock::time_point until) {
    std::array<pollfd, 2> all = {{{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    if (left <= 0) return false;
    if (::poll(all.data(), all.size(), static_cast<int>(left)) == 0) return false;
    out_ready_ = all[0].revents != 0;
    err_ready_ = all[1].revents != 0;
    return true;
  }

  std::string_view read(descriptor& from, bool ready) {
    if (!ready) return {};
    const ssize_t n = ::read(from.get(), room_.data(), room_.size());
    if (n < 0 && errno == EINTR) return {};
    if (n <= 0) from = descriptor{};
    return {room_.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
  }

  std::string stop(std::string why) {
    ::kill(pid_, SIGKILL);
    return why;
  }

  std::string ending() {
    const int status = wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    if (std::string error = first_error(said_); !error.empty()) return "failed: " + error;
    if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
    return "failed with status " + std::to_string(WEXITSTATUS(status));
  }

  int wait() {
    while (pid_ > 0 && ::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status_;
  }

  pid_t pid_;
  int status_ = 0;
  descriptor out_, err_;
  bool out_ready_ = false, err_ready_ = false;
  std::string said_;  // on stderr, its beginning
  std::vector<char> room_ = std::vector<char>(limits::read_bytes);
};

}  // namespace

std::string run_program(const program_call& call,
                        const std::function<void(std::string_view bytes)>& take) {
  auto out = make_pipe();
  auto err = make_pipe();
  if (!out || !err) return "can't be started: " + std::string{std::strerror(errno)};
  std::vector<char*> argv;
  // POSIX's argv is not const, for history's sake; exec leaves the strings alone.
  for (const std::string& word : call.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) return "can't be started: " + std::string{std::strerror(errno)};
  if (pid == 0) become(argv.data(), out->write.get(), err->write.get());
  out->write = descriptor{};
  err->write = descriptor{};
  running_program running{pid, std::move(out->read), std::move(err->read)};
  return running.follow(call, take);
}

}  // namespace tofud::attachments
