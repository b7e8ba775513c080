// A plan or state one line a resource: for people in a hurry, or as JSON for programs.
#pragma once

#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/plan/state.hpp"

#include <cstdint>

namespace tofud::diff {

/// `compact`: sign, address and what changes, without values. `rows`: JSON objects, README.md tells
/// their members.
enum class line_form : std::uint8_t { compact, rows };

/// Drift, changes, outputs and the counts. What the schemas call sensitive is hidden, too, whatever
/// `wanted.known` says. A failure may come after lines that are right.
plan::result<drawn_plan> draw_lines(const plan::document& plan, const plan_drawing& wanted,
                                    line_form form, const text_sink& out);
plan::result<drawn_plan> draw_lines(const plan::state_document& state, const state_drawing& wanted,
                                    line_form form, const text_sink& out);

}  // namespace tofud::diff
