// The state that a run is recovered into: which one it is, and what it holds.
#pragma once

#include "protocol/recover/held_state.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace tofud::recovery {

struct recovered_state {
  recover::held_state held;
  std::string name;            // of the file, or what it is instead of one
  std::filesystem::path file;  // empty: it is none
};

/// `file` as somebody names it ("-": standard input); else `dump`, what the run printed of it; else
/// the one that OpenTofu keeps in a file for the working directory. A file that is not there is an
/// absent state. The failure says what it is instead, and what to give.
text::result<recovered_state> find_state(const std::string& file, std::string_view dump);

}  // namespace tofud::recovery
