// Where spools may go: a list of directories, best first.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tofud::spool {

/// Value of an environment variable, passed in so that nobody depends on the process's own.
using environment = std::function<std::optional<std::string>(const char* name)>;
environment process_environment();

enum class place_trust {
  ours,    // under a directory of the user's own
  shared,  // under /tmp: others could have made it first, so it must prove to be ours
};

struct place_candidate {
  std::string directory;
  place_trust trust = place_trust::ours;
  bool operator==(const place_candidate&) const = default;
};

/// `--state-dir` (empty: not given), `$STATE_DIRECTORY`, `$XDG_STATE_HOME/tofud`,
/// `~/.local/state/tofud`, `$TMPDIR/tofud-UID`; those that are set. Relative paths of the
/// environment are left out, as the XDG specification asks. `~` is `$HOME` only: asking for the
/// user's entry could wait for a directory server.
std::vector<place_candidate> place_candidates(const std::string& state_dir, const environment& env);

/// An opened directory for spools.
struct spool_place {
  std::string directory;
  files::descriptor fd;
};

struct entered_place {
  std::optional<spool_place> place;
  std::string refusal;  // why not, as half a sentence
};

/// Makes the directory (0700) if needed and opens it. Refuses network filesystems, where a write
/// may hang with the network and locks are not to be trusted, and shared places that are not ours
/// alone.
entered_place enter_place(const place_candidate& candidate);

/// By the magic number of statfs(2).
bool is_network_filesystem(unsigned long magic);

}  // namespace tofud::spool
