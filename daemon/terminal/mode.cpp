#include "daemon/terminal/mode.hpp"

namespace tofud::terminal {
namespace {

bool set(const environment& env, const char* name) {
  const char* text = env(name);
  return text != nullptr && *text != '\0';
}

bool dumb(const environment& env) {
  const char* term = env("TERM");
  return term != nullptr && std::string_view{term} == "dumb";
}

progress_mode automatic(bool to_terminal, const environment& env) {
  if (to_terminal && !dumb(env) && !in_ci(env)) return progress_mode::tty;
  if (on_github(env)) return progress_mode::github;
  if (on_gitlab(env)) return progress_mode::gitlab;
  return progress_mode::plain;
}

}  // namespace

bool in_ci(const environment& env) { return set(env, "CI"); }

bool on_gitlab(const environment& env) { return set(env, "GITLAB_CI"); }

bool on_github(const environment& env) { return set(env, "GITHUB_ACTIONS"); }

std::optional<progress_mode> choose_progress(progress_flag flag, bool to_terminal,
                                             const environment& env) {
  switch (flag) {
    case progress_flag::automatic:
      return automatic(to_terminal, env);
    case progress_flag::tty:
      return to_terminal ? std::optional{progress_mode::tty} : std::nullopt;
    case progress_flag::plain:
      return progress_mode::plain;
    case progress_flag::github:
      return progress_mode::github;
    case progress_flag::gitlab:
      return progress_mode::gitlab;
    case progress_flag::json:
      return progress_mode::json;
    case progress_flag::none:
      return progress_mode::none;
  }
  return progress_mode::plain;
}

}  // namespace tofud::terminal
