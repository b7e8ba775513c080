// The [[oidc]] tables as what they mean.
#pragma once

#include "daemon/oidc/provider.hpp"
#include "daemon/settings/origin.hpp"
#include "daemon/settings/settings.hpp"

#include <vector>

namespace tofud::settings {

struct identity_providers {
  std::vector<oidc::provider> all;
  std::vector<failure> failures;  // not empty: they can't be used
  std::vector<failure> warnings;  // what a rule allows that somebody may not have meant
};

/// Rules are named by their places: "/etc/tofud/tofud.toml:12".
identity_providers identity_providers_in(const settings& from);

}  // namespace tofud::settings
