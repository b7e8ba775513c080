#include "daemon/keeper/terminal_state.hpp"

#include "daemon/spool/notice.hpp"

#include <unistd.h>

namespace tofud::keeper {
namespace {

constexpr std::array outputs = {STDOUT_FILENO, STDERR_FILENO};

}  // namespace

terminal_state::terminal_state() {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    termios now{};
    if (::tcgetattr(outputs[i], &now) == 0) settings_[i] = now;
  }
}

void terminal_state::restore(std::string_view more) const noexcept {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!settings_[i]) continue;
    const auto front =
        ::tcgetpgrp(outputs[i]);  // -1: not our terminal, so nobody else's job either
    if (front != -1 && front != ::getpgrp()) continue;
    ::tcsetattr(outputs[i], TCSANOW, &*settings_[i]);
    spool::write_patiently(outputs[i], "\x1b[0m\x1b[?25h");
    if (outputs[i] == STDOUT_FILENO && !more.empty()) spool::write_patiently(outputs[i], more);
  }
}

}  // namespace tofud::keeper
