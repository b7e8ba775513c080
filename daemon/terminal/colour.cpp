#include "daemon/terminal/colour.hpp"

#include <string_view>

namespace tofud::terminal {
namespace {

std::string_view value(const environment& env, const char* name) {
  const char* text = env(name);
  return text == nullptr ? std::string_view{} : std::string_view{text};
}

bool forces(std::string_view text) { return !text.empty() && text != "0"; }

}  // namespace

bool wants_colour(colour_flag flag, bool to_terminal, const environment& env) {
  if (flag != colour_flag::automatic) return flag == colour_flag::always;
  if (!value(env, "NO_COLOR").empty()) return false;
  if (forces(value(env, "CLICOLOR_FORCE")) || forces(value(env, "FORCE_COLOR"))) return true;
  return to_terminal && value(env, "TERM") != "dumb";
}

}  // namespace tofud::terminal
