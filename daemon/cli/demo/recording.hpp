// The run that `tofud demo` plays.
#pragma once

#include <string_view>

namespace tofud::demo {

/// The stream, gzip; `apply.jsonl` beside this file, built into the binary.
std::string_view recording();

/// How that apply ended.
inline constexpr int exit_status = 1;

}  // namespace tofud::demo
