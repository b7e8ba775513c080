#include "daemon/cli/browser.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/api/pages/html.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <vector>

extern char** environ;  // NOLINT(readability-identifier-naming): the name is POSIX's

namespace tofud::cli {
namespace {

std::string_view value(const std::function<const char*(const char*)>& env, const char* name) {
  const char* text = env(name);
  return text == nullptr ? std::string_view{} : std::string_view{text};
}

std::vector<std::string> words_of(const std::string& command, const std::string& url) {
  std::vector<std::string> words;
  std::istringstream text{command};
  bool placed = false;
  for (std::string word; text >> word;) {
    const std::size_t place = word.find("%s");
    if (place != std::string::npos) {
      word.replace(place, 2, url);
      placed = true;
    }
    words.push_back(word);
  }
  if (!words.empty() && !placed) words.push_back(url);
  return words;
}

/// 0, or the error. Its output would get in the way of ours.
int start(std::vector<std::string> words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: the Ctrl-C that ends us is not for the browser.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

std::string through_a_file(const std::string& url, const std::string& directory) {
  namespace fs = std::filesystem;
  constexpr std::string_view beginning = "open-", ending = ".html";
  std::error_code failed;
  for (const auto& each : fs::directory_iterator{directory, failed}) {
    const std::string name = each.path().filename();
    if (!name.starts_with(beginning) || !name.ends_with(ending)) continue;
    const auto written = each.last_write_time(failed);
    if (!failed && fs::file_time_type::clock::now() - written > limits::login_link_age)
      fs::remove(each.path(), failed);
  }
  std::string path = directory + "/" + std::string{beginning} + "XXXXXX" + std::string{ending};
  const int fd = ::mkostemps(path.data(), static_cast<int>(ending.size()), O_CLOEXEC);
  if (fd < 0) return "";
  const std::string shown = pages::escaped(url);
  const std::string text =
      "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer>"
      "<title>tofud</title><meta http-equiv=refresh content=\"0;url=" +
      shown + "\"><a href=\"" + shown + "\">tofud</a>\n";
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  if (written) return "file://" + path;
  ::unlink(path.c_str());
  return "";
}

std::string start_browser(const std::string& url,
                          const std::function<const char*(const char* name)>& env) {
  std::signal(SIGCHLD, SIG_IGN);  // nobody waits for it
  std::istringstream choices{std::string{value(env, "BROWSER")}};
  std::string refusals;
  for (std::string choice; std::getline(choices, choice, ':');) {
    const auto words = words_of(choice, url);
    if (words.empty()) continue;
    const int error = start(words);
    if (error == 0) return "";
    refusals += (refusals.empty() ? "" : ", ") + words.front() + ": " + std::strerror(error);
  }
  if (!refusals.empty()) return "$BROWSER can't be started (" + refusals + ")";
  if (value(env, "DISPLAY").empty() && value(env, "WAYLAND_DISPLAY").empty()) {
    return "there is no display, and $BROWSER is not set";
  }
  const int error = start({"xdg-open", url});
  return error == 0 ? ""
                    : "$BROWSER is not set, and xdg-open: " + std::string{std::strerror(error)};
}

}  // namespace tofud::cli
