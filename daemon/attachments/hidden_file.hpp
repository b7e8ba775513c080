// The file of the values that are hidden wherever a run's texts have them.
#pragma once

#include "protocol/redact/finder.hpp"
#include "protocol/redact/hidden_values.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tofud::attachments {

/// As a mask file (redact/rules.hpp): values in clear.
std::string hidden_file(const redact::hidden_values& of);

/// What such a file says; empty: there is none, or it says nothing.
std::vector<redact::secret> read_hidden_file(const std::string& path);

/// Made ready to look for; null: there are none. They alone are looked for, not what looks like a
/// secret.
std::shared_ptr<const redact::ready_rules> ready_to_hide(std::vector<redact::secret> values);
std::shared_ptr<const redact::ready_rules> ready_to_hide(const redact::hidden_values& of);

}  // namespace tofud::attachments
