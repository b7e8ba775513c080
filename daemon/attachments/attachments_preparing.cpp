#include "daemon/attachments/attachments_preparing.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/worker_process.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::attachments {
namespace {

namespace asio = boost::asio;
using files::descriptor;

/// Where the child finds the saved plan, and all that it finds beside 0, 1 and 2.
constexpr int plan_fd = 3;
/// Above it, so that putting one in its place never overwrites another.
constexpr int out_of_the_way = 20;
/// Of one line; sentences are shorter.
constexpr std::size_t line_bytes = 16 * limits::kib;

/// A regular file, or none; a FIFO would wait for its writer.
descriptor open_saved_plan(const std::string& path) {
  descriptor file{path.empty() ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat facts {};
  if (file && (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode))) file = descriptor{};
  return file;
}

struct spawn_plan {
  spawn_plan() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    // A group of its own: Ctrl-C in the terminal is tofu's, and what it starts can be killed at
    // once.
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~spawn_plan() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

/// 0: there is none.
pid_t start(const attachments::wanted& what, int out, int plan) {
  std::vector<std::string> words = {"tofud", attach_argument};
  for (std::string& each : attachments::to_words(what)) words.push_back(std::move(each));
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  spawn_plan how;
  ::posix_spawn_file_actions_addopen(&how.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&how.files, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&how.files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (plan >= 0) ::posix_spawn_file_actions_adddup2(&how.files, plan, plan_fd);
  ::posix_spawn_file_actions_addclosefrom_np(&how.files, plan >= 0 ? plan_fd + 1 : plan_fd);
  pid_t pid = 0;
  if (::posix_spawn(&pid, "/proc/self/exe", &how.files, &how.attributes, argv.data(), ::environ) !=
      0) {
    return 0;
  }
  return pid;
}

}  // namespace

class attachments_preparing::child : public std::enable_shared_from_this<child> {
 public:
  child(asio::io_context& io, listeners told) : told_{std::move(told)}, out_{io} {}
  ~child() { kill(); }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  void begin(attachments::wanted what) {
    const descriptor plan = open_saved_plan(what.found.plan);
    // What is no file, such as a pipe, is tofu's alone.
    if (plan)
      what.found.plan = "/proc/self/fd/" + std::to_string(plan_fd);
    else
      what.found = {};
    const descriptor high{plan ? ::fcntl(plan.get(), F_DUPFD_CLOEXEC, out_of_the_way) : -1};
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_later();
    const descriptor write_end{ends[1]};
    out_.assign(ends[0]);
    const descriptor high_end{::fcntl(ends[1], F_DUPFD_CLOEXEC, out_of_the_way)};
    pid_ = start(what, high_end.get(), high.get());
    if (pid_ == 0) return fail_later();
    read();
  }

  /// Nobody is told any more.
  void forget() {
    told_ = {};
    kill();
    boost::system::error_code ignored;
    out_.close(ignored);
  }

  bool over() const { return over_; }

 private:
  void fail_later() {
    asio::post(out_.get_executor(), [self = shared_from_this()] {
      self->note(
          "nothing is attached to the run: the process that prepares attachments can't be started");
      self->end();
    });
  }

  void read() {
    out_.async_read_some(asio::buffer(room_), [self = shared_from_this()](
                                                  boost::system::error_code failed, std::size_t n) {
      if (!failed) return self->take({self->room_.data(), n});
      if (failed != asio::error::operation_aborted) self->end_of_output();
    });
  }

  void take(std::string_view bytes) {
    line_.append(bytes);
    std::size_t begin = 0;
    for (auto end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', begin)) {
      tell(std::string_view{line_}.substr(begin, end - begin));
      begin = end + 1;
    }
    line_.erase(0, begin);
    if (line_.size() > line_bytes) line_.clear();
    read();
  }

  void tell(std::string_view line) {
    constexpr std::string_view before_note = "note ";
    if (line.starts_with(before_note)) return note(std::string{line.substr(before_note.size())});
    const auto part = feed::parse_attachment(line);
    if (part && told_.done) told_.done(*part);
  }

  void note(const std::string& sentence) const {
    if (told_.note) told_.note(sentence);
  }

  // It closes its output by ending: its status is there, or is about to be.
  void end_of_output() {
    int status = 0;
    // First, while the number is still its group's.
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    if (status != 0)
      note("not everything is attached to the run: the process that prepares attachments " +
           keeper::ending_text(status));
    end();
  }

  /// With all that it started. Not waited for: a disk may not let it go.
  void kill() {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, WNOHANG);
    pid_ = 0;
  }

  void end() {
    over_ = true;
    if (told_.over) told_.over();
  }

  pid_t pid_ = 0;  // 0: none, or waited for
  bool over_ = false;
  listeners told_;
  asio::posix::stream_descriptor out_;
  std::array<char, 4096> room_{};
  std::string line_;
};

attachments_preparing::attachments_preparing(asio::io_context& io, const attachments::wanted& what,
                                             listeners told)
    : child_{std::make_shared<child>(io, std::move(told))} {
  child_->begin(what);
}

attachments_preparing::~attachments_preparing() { child_->forget(); }

bool attachments_preparing::over() const { return child_->over(); }

}  // namespace tofud::attachments
