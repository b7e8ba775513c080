// A change in one line: what of a resource changes.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/drawer.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/resource_comment.hpp"
#include "protocol/plan/resource_change.hpp"

#include <string>

namespace tofud::diff {

/// The line with its newline: sign, address and, of what changes in place or is replaced, the paths
/// of the attributes that do, up to limits::compact_names; those that force replacement are told
/// first. No values at all, so nothing in it is a secret.
std::string compact_line(const plan::resource_change& about, const change& tree, cause why,
                         const drawer& with, const text::ink& pen);

}  // namespace tofud::diff
