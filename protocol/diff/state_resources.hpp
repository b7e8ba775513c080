// The resources and outputs of a state, each as a tree in which nothing changes.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/resource_diff.hpp"
#include "protocol/plan/state.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace tofud::diff {

struct state_tree {
  change tree;
  bool has_schema = false;
};
state_tree tree_of(const plan::state_resource& about, const knowledge& known);

/// Told of each before its resources: whether anything stands before it in it or in what it is
/// called by, and whether it has resources.
using module_sink = std::function<void(bool first, bool has_resources)>;

/// In the order of the document, modules after the resources of what calls them. What is told of is
/// valid during the call. The failure is the first that was found.
std::optional<plan::failure> for_each_resource(
    const plan::state_document& state, const std::function<void(const plan::state_resource&)>& look,
    const module_sink& module = {});

/// By the order of their names' bytes.
std::optional<plan::failure> for_each_output(
    const plan::state_document& state,
    const std::function<void(std::string_view name, const change& tree)>& look);

}  // namespace tofud::diff
