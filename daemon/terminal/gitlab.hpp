// Sections of a GitLab job log, which can be folded.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::terminal::gitlab {

/// One line: the marker, then `title`. `name` is of letters and underscores. GitLab computes how
/// long a section took from the two times; without one it is 0.
std::string section_start(std::string_view name, std::string_view title,
                          std::optional<ui::time_point> at);
std::string section_end(std::string_view name, std::optional<ui::time_point> at);

}  // namespace tofud::terminal::gitlab
