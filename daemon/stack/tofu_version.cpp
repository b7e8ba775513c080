#include "daemon/stack/tofu_version.hpp"

#include "daemon/stack/limits.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tofud::stack {
namespace {

constexpr std::array names = {std::pair{product::opentofu, std::string_view{"OpenTofu v"}},
                              std::pair{product::terraform, std::string_view{"Terraform v"}}};

/// Everything `fd` brings until its end, at most so much and so long, behind `text`. False on a
/// time-out.
bool read_all(int fd, std::chrono::milliseconds patience, std::string& text) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::array<char, 4096> room;
  while (text.size() < limits::version_bytes) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{fd, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0) {
      return false;
    }
    const ssize_t n = ::read(fd, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    text.append(room.data(), static_cast<std::size_t>(n));
  }
  return true;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

std::vector<std::string> quiet_environment() {
  std::vector<std::string> all;
  for (char** each = ::environ; *each != nullptr; ++each) {
    const std::string_view entry{*each};
    // Its flags are for the real command; TF_LOG would only fill stderr.
    if (entry.starts_with("TF_CLI_ARGS") || entry.starts_with("TF_LOG")) continue;
    all.emplace_back(entry);
  }
  all.emplace_back("CHECKPOINT_DISABLE=1");
  return all;
}

std::string tofu_version::name() const {
  return (made == product::opentofu ? "OpenTofu " : "Terraform ") + text;
}

std::optional<tofu_version> parse_version(std::string_view printed) {
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n'));
    for (const auto& [made, name] : names) {
      if (!line.starts_with(name)) continue;
      tofu_version found;
      found.made = made;
      found.text = line.substr(name.size(), line.find_first_of(" \r\t", name.size()) - name.size());
      const char* end = found.text.data() + found.text.size();
      const auto [dot, bad_major] = std::from_chars(found.text.data(), end, found.major);
      if (bad_major != std::errc{} || dot == end || *dot != '.') return std::nullopt;
      if (std::from_chars(dot + 1, end, found.minor).ec != std::errc{}) return std::nullopt;
      return found;
    }
    printed.remove_prefix(std::min(line.size() + 1, printed.size()));
  }
  return std::nullopt;
}

std::optional<tofu_version> ask_version(const std::string& program, const std::string& chdir) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::vector<std::string> words = {program};
  if (!chdir.empty()) words.push_back("-chdir=" + chdir);
  words.emplace_back("version");
  std::vector<std::string> env = quiet_environment();

  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, program.c_str(), &files, nullptr, pointers(words).data(),
                                    pointers(env).data());
  ::posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  std::string printed;
  const bool ended = failed == 0 && read_all(ends[0], limits::version_wait, printed);
  if (failed == 0 && !ended) ::kill(pid, SIGKILL);
  ::close(ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) return std::nullopt;
  return parse_version(printed);
}

}  // namespace tofud::stack
