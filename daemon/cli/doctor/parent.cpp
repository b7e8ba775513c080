#include "daemon/cli/doctor/parent.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace tofud::doctor {
namespace {

// The name of a process's program: of its file, which can't be changed, else what it calls itself.
// A shell that was started as a login shell is "-bash" in its own words, "bash" by its file.
std::string program_of(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::error_code failed;
  const auto file = std::filesystem::read_symlink(folder + "/exe", failed);
  if (!failed) return file.filename().string();
  std::ifstream own_words{folder + "/comm"};
  std::string name;
  std::getline(own_words, name);
  return name;
}

// A job in the background of a terminal is not signalled by it.
bool terminal_signals_us() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return false;
  const bool foreground = ::tcgetpgrp(terminal) == ::getpgrp();
  ::close(terminal);
  return foreground;
}

}  // namespace

parent_facts parent_of_this_process() {
  parent_facts found;
  found.pid = ::getppid();
  if (found.pid > 0) found.name = program_of(::getppid());
  found.has_terminal = terminal_signals_us();
  return found;
}

}  // namespace tofud::doctor
