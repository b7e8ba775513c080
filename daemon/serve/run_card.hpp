// What daemons say of a run to each other: a value of the bucket of cards.
#pragma once

#include "daemon/serve/kept_streams.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::serve {

struct run_card {
  kept_streams::told_elsewhere told;
  std::string by;            // the daemon that takes it in
  std::uint64_t seq = 0;     // of the newest record of its log
  std::string removed_by{};  // not empty: the run was removed, and nothing else is said
};

/// One JSON object.
std::string to_json(const run_card& card);
/// Nothing: it is none, or of a version that is not known here.
std::optional<run_card> parse_run_card(std::string_view json);

}  // namespace tofud::serve
