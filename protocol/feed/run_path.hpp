// Where the reads of a run are.
#pragma once

#include <string>
#include <string_view>

namespace tofud::feed {

/// `/v1/runs/ID`, after what a proxy has before our paths (`base`, such as "/tofud"; mostly empty):
/// a path that a client resolves against the address it asked.
std::string run_path(std::string_view base, std::string_view run);

}  // namespace tofud::feed
