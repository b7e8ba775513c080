// A plan or state one line a resource: for people in a hurry, or as JSON for programs.
#pragma once

#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/plan/state.hpp"

#include <cstdint>
#include <memory>

namespace tofud::diff {

/// `compact`: sign, address and what changes, without values. `rows`: JSON objects, README.md tells
/// their members.
enum class line_form : std::uint8_t { compact, rows };

/// Drift, changes, outputs and the counts. What the schemas call sensitive is hidden, too, whatever
/// `wanted.known` says. A failure may come after lines that are right.
plan::result<drawn_plan> draw_lines(const plan::document& plan, const plan_drawing& wanted,
                                    line_form form, const text_sink& out);
/// The same of a plan, a resource at a time.
class plan_lines {
 public:
  /// The plan, and what `wanted` points to, outlive it.
  plan_lines(const plan::document& plan, const plan_drawing& wanted, line_form form, text_sink out);
  ~plan_lines();
  plan_lines(plan_lines&&) noexcept;
  plan_lines& operator=(plan_lines&&) noexcept;

  /// False: that was all.
  plan::result<bool> next();
  const drawn_plan& drawn() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

plan::result<drawn_plan> draw_lines(const plan::state_document& state, const state_drawing& wanted,
                                    line_form form, const text_sink& out);

}  // namespace tofud::diff
