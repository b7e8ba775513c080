// The tree of a change as JSON, for the page: bounded, and to be asked for further.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/resource_diff.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::diff {

/// What of a tree is wanted.
struct rows_part {
  /// Keys and indices from the body of a resource to the value; empty: the body itself.
  std::vector<std::string> path = {};
  /// Children before this one are left out.
  std::size_t from = 0;
  /// Children that do not change, too; else they are counted.
  bool unchanged = false;
};

/// One JSON object, within limits::diff_children, diff_text_bytes, diff_values and diff_depth;
/// README.md tells its members. Empty if nothing is at the path. The tree is to be computed with
/// the schema's marks: what they hide is not in it.
std::string row_of(const change& tree, const rows_part& part = {});

/// The same with what is said of the resource; `drift`: it is an entry of `resource_drift`.
std::string row_of(const resource_diff& resource, bool drift, const rows_part& part = {});

}  // namespace tofud::diff
