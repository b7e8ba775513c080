// A plan in the text of `tofu show PLAN`.
#pragma once

#include "protocol/diff/human.hpp"
#include "protocol/diff/resource_diff.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/text/ink.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::diff {

/// How the plan was made, which a plan does not say: `-refresh-only`, `-destroy`.
enum class plan_mode : std::uint8_t { normal, refresh_only, destroy };

struct plan_drawing {
  text::ink::colours colours = text::ink::colours::no;
  plan_mode mode = plan_mode::normal;
  knowledge known = {};
  text_filter filter = {};
};

using text_sink = std::function<void(std::string_view)>;

/// What was drawn.
struct drawn_plan {
  std::size_t without_schema = 0;  // resources; their types are those of their values
};

/// Tells the text piece by piece, no more than one resource at once. A failure comes before the
/// first piece.
plan::result<drawn_plan> draw(const plan::document& plan, const plan_drawing& wanted,
                              const text_sink& out);

}  // namespace tofud::diff
