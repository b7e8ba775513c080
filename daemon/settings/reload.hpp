// New settings for a daemon that goes on.
#pragma once

#include "daemon/settings/merge.hpp"

#include <string_view>
#include <vector>

namespace tofud::settings {

struct reloaded {
  std::vector<failure> failures;  // not empty: nothing is to change
  /// What holds from now on: options that need a restart are as they were.
  effective now;
  std::vector<const option*> changed;            // in `now`
  std::vector<std::string_view> changed_tables;  // by their keys: "oidc"
  std::vector<const option*> needs_restart;      // said otherwise than what runs
};

/// What SIGHUP makes of `current`, all of it or nothing. Pure: `from` has the files' texts.
reloaded reload(const effective& current, const sources& from);

}  // namespace tofud::settings
