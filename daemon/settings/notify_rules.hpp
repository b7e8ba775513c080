// The [[notify]] tables as what they mean.
#pragma once

#include "daemon/notify/rule.hpp"
#include "daemon/settings/origin.hpp"
#include "daemon/settings/settings.hpp"

#include <vector>

namespace tofud::settings {

struct notify_rules {
  std::vector<notify::rule> all;
  std::vector<failure> failures;  // not empty: they can't be used
};

/// What the files of the rules hold is not looked at.
notify_rules notify_rules_in(const settings& from);

}  // namespace tofud::settings
