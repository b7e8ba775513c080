// What a state says of the order in which its objects were made: what each depends on.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/text/failure.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::order {

struct known_object {
  /// Addresses of blocks without keys, all of them however indirect.
  std::vector<std::string> dependencies;
  std::optional<bool> create_before_destroy;  // nothing: not said
};

/// By address of the instance and key of the deposed object (empty: the current one).
using known_objects = std::map<std::pair<std::string, std::string>, known_object>;

/// Of a state file (version 4). A failure says what is wrong with it.
text::result<known_objects> read_state_file(std::string_view json);
/// Of the prior state in a plan, which does not say what is created first. What can't be read says
/// nothing.
known_objects read_prior_state(const plan::document& from);
/// Both: what a plan's prior state says of dependencies is newer, since planning brings them up to
/// date and moves addresses.
known_objects merged(known_objects prior, const known_objects& state);

}  // namespace tofud::order
