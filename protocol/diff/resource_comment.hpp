// What is said above a resource in the text for people: what happens to it, and why.
#pragma once

#include "protocol/diff/drawer.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/plan/resource_change.hpp"

#include <cstdint>
#include <string>

namespace tofud::diff {

/// Whether OpenTofu is going to do it, or somebody else did.
enum class cause : std::uint8_t { planned, drift };

/// Whole lines.
std::string comment_of(const plan::resource_change& about, cause why, const drawer& with,
                       const text::ink& pen, plan::product made_by = plan::product::opentofu);

/// `resource "TYPE" "NAME"`.
std::string header_of(const plan::resource_change& about);

/// The sign of an action, in the four columns before a header.
std::string sign_of(plan::planned_action done, const drawer& with, const text::ink& pen);

/// Whether it comes to another address; to the same is no move.
bool moves(const plan::resource_change& about);

}  // namespace tofud::diff
