// A state in the text of `tofu show`.
#pragma once

#include "protocol/diff/human.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/resource_diff.hpp"
#include "protocol/plan/state.hpp"
#include "protocol/text/ink.hpp"

namespace tofud::diff {

struct state_drawing {
  text::ink::colours colours = text::ink::colours::no;
  knowledge known = {};
  text_filter filter = {};
};

/// Tells the text piece by piece, no more than one resource at once; `drawn_plan` counts resources
/// without a schema. A failure may come after pieces that are right.
plan::result<drawn_plan> draw(const plan::state_document& state, const state_drawing& wanted,
                              const text_sink& out);

}  // namespace tofud::diff
