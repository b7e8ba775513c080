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

/// The variables and settings that a command is given as `-var NAME=VALUE` or `-backend-config
/// NAME=VALUE`, as the environment would give them: TF_VAR_NAME=VALUE.
environment_list variables_of(const std::vector<std::string>& argv);

/// The environment of this process and such variables.
environment_list environment_with(const environment_list& variables);

/// Values under names like a secret's, and passwords in URLs under any name. What names a small
/// file is no secret, what is in the file is (`GOOGLE_APPLICATION_CREDENTIALS=/key.json`). Of JSON
/// the members named like secrets, else every string; of TF_CLI_ARGS the variables so named.
std::vector<redact::secret> secrets_of(const environment_list& environment);

}  // namespace tofud::redaction
