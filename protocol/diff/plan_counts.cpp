#include "protocol/diff/plan_counts.hpp"

#include "protocol/diff/resource_comment.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tofud::diff {

using plan::planned_action;
using text::style;

bool is_told(const plan::resource_change& about) {
  if (about.mode == "ephemeral") return false;
  const planned_action done = about.change.action;
  if (done == planned_action::none) return moves(about) || about.change.importing;
  return done != planned_action::remove || about.mode == "managed";
}

void plan_counts::add(const plan::change& change) {
  if (change.importing) ++imports_;
  if (change.action != planned_action::none) ++counts_[static_cast<std::size_t>(change.action)];
}

bool plan_counts::empty() const {
  return std::all_of(counts_.begin(), counts_.end(), [](std::size_t n) { return n == 0; });
}

std::string plan_counts::in_words(plan::product made_by) const {
  const std::size_t replaced =
      of(planned_action::remove_then_create) + of(planned_action::create_then_remove);
  const std::size_t relieved = of(planned_action::forget_then_create);
  const std::size_t forgotten = of(planned_action::forget) + relieved;
  std::string text;
  if (imports_ > 0) text.append(std::to_string(imports_)).append(" to import, ");
  text.append(std::to_string(of(planned_action::create) + replaced + relieved)).append(" to add, ");
  text.append(std::to_string(of(planned_action::update))).append(" to change, ");
  text.append(std::to_string(of(planned_action::remove) + replaced)).append(" to destroy");
  // Terraform does not count them.
  if (forgotten > 0 && made_by == plan::product::opentofu)
    text.append(", ").append(std::to_string(forgotten)).append(" to forget");
  return text.append(".");
}

std::string legend(const plan_counts& counts, const drawer& with, const text::ink& pen,
                   plan::product made_by) {
  const bool of_terraform = made_by == plan::product::terraform;
  using word = std::pair<planned_action, std::string_view>;
  std::string lines;
  for (const auto& [done, text] : {
           word{planned_action::create, "create"},
           word{planned_action::update,
                of_terraform ? "update in-place" : "update in-place (current -> planned)"},
           word{planned_action::remove, "destroy"},
           word{planned_action::remove_then_create, "destroy and then create replacement"},
           word{planned_action::create_then_remove, "create replacement and then destroy"},
           word{planned_action::read, "read (data resources)"},
           word{planned_action::forget_then_create, "forget and then create replacement"},
           word{planned_action::forget, "forget"},
       }) {
    if (counts.of(done) == 0 || (of_terraform && done == planned_action::forget)) continue;
    std::string sign = sign_of(done, with, pen);
    sign.resize(sign.size() - pen[style::reset].size());
    if (done == planned_action::forget_then_create) sign.erase(0, 2);  // OpenTofu writes it so
    lines.append(sign).append(" ").append(text).append(pen[style::reset]).append("\n");
  }
  return lines;
}

}  // namespace tofud::diff
