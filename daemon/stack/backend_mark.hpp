// One directory, one workspace, several states: told apart by the backend's settings.
#pragma once

#include <string>
#include <string_view>

namespace tofud::stack {

/// Six hex digits for the backend that `.terraform/terraform.tfstate` names, from its type and the
/// settings that say where the state lies (bucket, key, prefix, … : nothing secret). Empty for the
/// default local backend, and for a text that is no such file.
std::string backend_mark(std::string_view working_directory_state);

/// The backend's type ("s3", "remote", …); empty: the default local one.
std::string backend_type(std::string_view working_directory_state);

}  // namespace tofud::stack
