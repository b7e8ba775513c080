// A plan as a comment of a pull request.
#pragma once

#include "protocol/diff/plan_text.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/text/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::diff {

/// Appends GitHub's dialect: a headline of counts, then each resource, what is lost first, with its
/// changes folded, conditions that fail, outputs, and what had changed outside. What the plan or
/// the schemas call sensitive is hidden, whatever `wanted.known` says; so are the ids of imports.
///
/// At most `room` bytes, which are never fewer than the characters that GitHub counts. Where that
/// is too few the folded changes go first, least dangerous before others, then resources are only
/// counted; of one resource limits::markdown_change_bytes are shown.
///
/// `remarks` are Markdown that stands below the headline.
///
/// Nothing that the plan holds is markup, a link or a mention there: it stands in code alone.
plan::result<drawn_plan> draw_markdown(const plan::document& plan, const plan_drawing& wanted,
                                       std::string& out,
                                       std::size_t room = limits::markdown_plan_characters,
                                       std::string_view remarks = {});

}  // namespace tofud::diff
