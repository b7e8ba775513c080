#include "daemon/terminal/screen.hpp"

#include "daemon/terminal/osc.hpp"
#include "protocol/diagnostics/erasure.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tofud::terminal {

screen_size size_of_screen(int fd) {
  screen_size size;
  winsize told{};
  if (::ioctl(fd, TIOCGWINSZ, &told) != 0) return size;
  if (told.ws_col > 0) size.width = told.ws_col;
  if (told.ws_row > 0) size.height = told.ws_row;
  return size;
}

bool in_foreground(int fd) {
  const pid_t front = ::tcgetpgrp(fd);
  return front == -1 || front == ::getpgrp();
}

std::string erasure(const environment& env) {
  return std::string{diagnostics::erase_from_here} +
         (takes_osc_progress(env) ? sequence({}) : std::string{});
}

screen_lock::screen_lock(int fd) {
  if (::isatty(fd) == 0) return;
  // A description of our own: the one we inherited is shared with everybody on this terminal, and
  // so would be a lock on it.
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  own_ = ::open(self.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (own_ < 0) return;
  if (::flock(own_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) result_ = outcome::taken;
}

screen_lock::~screen_lock() {
  if (own_ >= 0) ::close(own_);
}

}  // namespace tofud::terminal
