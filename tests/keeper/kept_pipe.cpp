#include "tests/keeper/kept_pipe.hpp"

#include "tests/keeper/fnv.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tofud::keeper {

bool eventually(const std::function<bool()>& holds) {
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

std::string stream_line(std::size_t number) {
  return R"({"@level":"info","@message":"null_resource.n[)" + std::to_string(number) +
         R"(]: Creation complete after 0s","@module":"tofu.ui","type":"apply_complete","filler":")" +
         std::string(280, static_cast<char>('a' + number % 26)) + "\"}\n";
}

std::string stream_lines(std::size_t first, std::size_t end) {
  std::string text;
  for (auto n = first; n < end; ++n) text += stream_line(n);
  return text;
}

kept_pipe::kept_pipe(const keeper_setup& setup) {
  std::array<int, 2> ends = {-1, -1};
  files::descriptor input;
  if (setup.input < 0) {
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    input = files::descriptor{ends[0]};
    write_end_ = files::descriptor{ends[1]};
  }
  auto place = setup.place.empty() ? scratch_ / "spools" : setup.place;
  if (setup.memory) place = "none";
  const auto worker = setup.worker.empty() ? std::string{STUB_WORKER} : setup.worker;
  std::vector<std::string> words = {STUB_KEEPER,
                                    place,
                                    std::to_string(setup.stall_ms),
                                    std::to_string(setup.cap),
                                    worker,
                                    scratch_ / "report",
                                    std::to_string(setup.status)};
  if (!setup.behaviour.empty()) words.push_back(setup.behaviour);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const auto errors = scratch_ / "stderr";

  keeper_ = ::fork();
  if (keeper_ != 0) {
    ::setpgid(keeper_, keeper_);
    return;
  }
  ::setpgid(0, 0);
  ::dup2(setup.input < 0 ? input.get() : setup.input, STDIN_FILENO);
  ::dup2(setup.stdout_fd < 0 ? ::open("/dev/null", O_WRONLY | O_CLOEXEC) : setup.stdout_fd,
         STDOUT_FILENO);
  ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), STDERR_FILENO);
  if (setup.in_child) setup.in_child();
  ::execv(STUB_KEEPER, argv.data());
  ::_exit(96);
}

kept_pipe::~kept_pipe() {
  close();
  if (keeper_ <= 0) return;
  ::killpg(keeper_, SIGKILL);
  ::waitpid(keeper_, nullptr, 0);
}

void kept_pipe::write(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto n = ::write(write_end_.get(), bytes.data() + at, bytes.size() - at);
    ASSERT_GT(n, 0);
    at += static_cast<std::size_t>(n);
  }
}

int kept_pipe::wait() {
  int status = 0;
  EXPECT_EQ(::waitpid(keeper_, &status, 0), keeper_);
  keeper_ = -1;
  return exit_status(status);
}

std::string kept_pipe::spooled() const {
  std::error_code none_yet;
  for (const auto& entry : std::filesystem::directory_iterator{scratch_ / "spools", none_yet}) {
    if (entry.path().extension() == ".jsonl") return tests::read_file(entry.path());
  }
  return "no spool";
}

std::string kept_pipe::said() const { return tests::read_file(scratch_ / "stderr"); }

std::vector<pid_t> kept_pipe::workers() const {
  std::vector<pid_t> pids;
  std::istringstream lines{tests::read_file(scratch_ / "report")};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("start ")) pids.push_back(std::stoi(line.substr(6)));
  }
  return pids;
}

bool kept_pipe::worker_stands_still() const {
  const auto started = workers();
  if (started.empty()) return false;
  const auto facts = tests::read_file("/proc/" + std::to_string(started.back()) + "/stat");
  return facts.find(") T ") != std::string::npos;
}

std::string kept_pipe::report() const {
  std::string last;
  std::istringstream lines{tests::read_file(scratch_ / "report")};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("folded ")) last = line;
  }
  return last;
}

bool kept_pipe::orphaned() const {
  return tests::read_file(scratch_ / "report").find("orphan\n") != std::string::npos;
}

std::string whole_report(const std::string& bytes) {
  std::ostringstream text;
  text << "folded " << bytes.size() << ' ' << fnv(bytes) << " tail " << bytes.size() << ' '
       << fnv("") << " stop 0 4001";
  return text.str();
}

int exit_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace tofud::keeper
