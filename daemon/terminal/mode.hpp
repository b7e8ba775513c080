// What `--progress` makes of a run: chosen once, at the start.
#pragma once

#include "daemon/terminal/colour.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tofud::terminal {

/// `--progress=auto|tty|plain|github|gitlab|json|none`.
enum class progress_flag : std::uint8_t { automatic, tty, plain, github, gitlab, json, none };

/// How a run is shown.
enum class progress_mode : std::uint8_t {
  tty,      // permanent lines, below them a block that is drawn again and again
  plain,    // a line per change
  github,   // plain, with groups, annotations and a step summary
  gitlab,   // plain, in sections
  json,     // the stream as it came
  none,     // nothing
  around,   // the first line and the summary on stderr: somebody else has the terminal in between
  between,  // the same, and a live block while resources are worked on
};

/// A terminal that is not dumb, outside CI, gets `tty`; else GITHUB_ACTIONS and GITLAB_CI choose
/// their own (a variable that is empty counts as unset), else it is `plain`. Nothing: `tty` was
/// asked for, and there is no terminal.
std::optional<progress_mode> choose_progress(progress_flag flag, bool to_terminal,
                                             const environment& env);

/// The sentence for that.
inline constexpr std::string_view no_terminal =
    "--progress tty needs a terminal, and standard output is not one; leave it out or use plain";

/// Whether the environment says that this is a job of a CI system.
bool in_ci(const environment& env);
/// Whether it is one of GitHub Actions.
bool on_github(const environment& env);
/// Whether it is one of GitLab.
bool on_gitlab(const environment& env);

}  // namespace tofud::terminal
