// The secrets in an environment.
#pragma once

#include "protocol/redact/rules.hpp"

#include <string>
#include <vector>

namespace tofud::redaction {

/// "NAME=value", each; as in environ.
using environment_list = std::vector<std::string>;

/// The environment of this process.
environment_list own_environment();

/// Values under names like a secret's, and passwords in URLs under any name. What names a small
/// file is no secret, what is in the file is (`GOOGLE_APPLICATION_CREDENTIALS=/key.json`). Of JSON
/// the members named like secrets, else every string; of TF_CLI_ARGS the variables so named.
std::vector<redact::secret> secrets_of(const environment_list& environment);

}  // namespace tofud::redaction
