#include "protocol/diff/plan_text.hpp"

#include "protocol/diff/drawer.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/plan_counts.hpp"
#include "protocol/diff/resource_comment.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/text/word_wrap.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tofud::diff {
namespace {

using plan::planned_action;
using text::style;

constexpr std::size_t rule_width = 77, prose_width = 77;
constexpr room json_room{limits::json_text_bytes, limits::json_text_bytes};

// An entry of the changes that is shown.
struct entry {
  std::size_t index;
};

class page {
 public:
  page(const plan::document& plan, const plan_drawing& wanted, const text_sink& out)
      : plan_{plan},
        wanted_{wanted},
        made_by_{plan.made_by()},
        out_{out},
        pen_{wanted.colours},
        drawer_{pen_, wanted_.filter, json_room} {}

  plan::result<drawn_plan> draw() {
    if (auto wrong = look_at_all()) return std::move(*wrong);
    const bool drifted = draw_drift();
    if (entries_.empty() && outputs_.empty()) {
      draw_no_changes(drifted);
      return drawn_;
    }
    if (drifted) draw_rule();
    draw_legend();
    draw_changes();
    draw_outputs();
    return drawn_;
  }

 private:
  static std::string path(std::string_view of, std::size_t index) {
    return std::string{of} + "[" + std::to_string(index) + "]";
  }

  // So that what is wrong anywhere is known before anything is drawn.
  std::optional<plan::failure> look_at_all() {
    for (std::size_t i = 0; i < plan_.resource_changes.size(); ++i) {
      const auto about = read(parsed_, plan_.resource_changes[i], path("resource_changes", i));
      if (!about) return about.error();
      if (!is_told(*about)) continue;
      entries_.push_back({i});
      counts_.add(about->change);
    }
    if (auto wrong = look_at_outputs()) return wrong;
    if (auto wrong = look_at_actions()) return wrong;
    return look_at_drift();
  }

  std::optional<plan::failure> look_at_outputs() {
    if (auto wrong = outputs_parsed_.parse(plan_.output_changes, "output_changes")) return wrong;
    const members all{outputs_parsed_.root()};
    for (const json::value each : all.all()) {
      const std::string where = "output_changes." + std::string{each.key()};
      const auto found = plan::read_change(each, where);
      if (!found) return found.error();
      sides between = sides_of(*found);
      between.replace = {};
      between.by_position = made_by_ == plan::product::terraform;
      width_ = std::max(width_, written_key(each.key()).size());
      change tree = compute(between);
      if (tree.action == diff::action::none) continue;
      tree.key = each.key();
      outputs_.push_back(std::move(tree));
    }
    return {};
  }

  relevance relevant() const {
    return {wanted_.mode == plan_mode::refresh_only, relevant_parsed_.root()};
  }

  std::optional<plan::failure> look_at_drift() {
    if (auto wrong = relevant_parsed_.parse(plan_.relevant_attributes, "relevant_attributes"))
      return wrong;
    for (std::size_t i = 0; i < plan_.resource_drift.size(); ++i) {
      const auto found = compute(parsed_, plan_.resource_drift[i], path("resource_drift", i),
                                 wanted_.known, relevant());
      if (!found) return found.error();
      if (!found->relevant) continue;
      // Moves alone are told with the changes.
      if (wanted_.mode != plan_mode::refresh_only && found->tree.action == diff::action::none)
        continue;
      drift_.push_back({i});
    }
    return {};
  }

  // Whether a change is planned at all, as far as the values tell.
  bool is_empty() {
    if (!outputs_.empty()) return false;
    for (std::size_t i = 0; i < plan_.resource_changes.size(); ++i) {
      const auto found =
          compute(parsed_, plan_.resource_changes[i], path("resource_changes", i), wanted_.known);
      if (found && (found->tree.action != diff::action::none || moves(found->about))) return false;
    }
    return true;
  }

  /// Our own sentences, in paragraphs. Terraform has the same with its name, wrapped anew.
  void tell(std::string_view text) const {
    if (made_by_ == plan::product::opentofu) return out_(text);
    std::string made;
    std::string paragraph;
    const auto flush = [&] {
      if (!paragraph.empty()) made.append(text::wrap_words(paragraph, prose_width)).append("\n");
      paragraph.clear();
    };
    for (const std::string& line : lines_of(with_name(std::string{text}))) {
      if (line.empty() || line.starts_with(' ')) {
        flush();
        made.append(line).append("\n");
      } else {
        paragraph.append(paragraph.empty() ? "" : " ").append(line);
      }
    }
    flush();
    out_(made);
  }
  std::string with_name(std::string text) const {
    if (made_by_ == plan::product::opentofu) return text;
    for (const auto& [ours, theirs] :
         {std::pair<std::string_view, std::string_view>{"OpenTofu", "Terraform"},
          {"tofu apply", "terraform apply"}}) {
      for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += theirs.size())
        text.replace(at, ours.size(), theirs);
    }
    return text;
  }
  static std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
  }

  std::string coloured(std::initializer_list<style> codes, std::string_view text) const {
    std::string made;
    for (const style each : codes) made.append(pen_[each]);
    return made.append(text).append(pen_[style::reset]);
  }

  bool draw_drift() {
    if (drift_.empty()) return false;
    if (wanted_.mode != plan_mode::refresh_only && is_empty()) return false;
    std::string text = "\n" + std::string{pen_[style::bold]} + coloured({style::cyan}, "Note:");
    text.append(coloured({style::bold}, with_name(" Objects have changed outside of OpenTofu\n")));
    out_(text);
    tell(
        "\nOpenTofu detected the following changes made outside of OpenTofu since the\n"
        "last \"tofu apply\" which may have affected this plan:\n");
    for (const entry& each : drift_)
      draw_resource(plan_.resource_drift[each.index], path("resource_drift", each.index),
                    cause::drift);
    if (wanted_.mode == plan_mode::refresh_only) {
      tell(
          "\n\nThis is a refresh-only plan, so OpenTofu will not take any actions to undo\n"
          "these. If you were expecting these changes then you can apply this plan to\n"
          "record the updated values in the OpenTofu state without changing any remote\n"
          "objects.\n");
    } else {
      tell(
          "\n\nUnless you have made equivalent changes to your configuration, or ignored the\n"
          "relevant attributes using ignore_changes, the following plan may include\n"
          "actions to undo or respond to these changes.\n");
    }
    return true;
  }

  void draw_rule() {
    std::string rule = std::string{pen_[style::dark_gray]} + "\n";
    for (std::size_t i = 0; i < rule_width; ++i) rule.append("─");
    out_(rule.append(pen_[style::reset]).append("\n"));
  }

  void draw_no_changes(bool drifted) {
    if (plan_.errored) {
      if (drifted) draw_rule();
      std::string text = "\n" + std::string{pen_[style::reset]} + std::string{pen_[style::bold]};
      text.append(coloured({style::red}, "Planning failed."));
      text.append(coloured(
          {style::bold}, with_name(" OpenTofu encountered an error while generating this plan.")));
      out_(text.append("\n\n").append(pen_[style::reset]));
      if (drifted) draw_rule();
      return;
    }
    switch (wanted_.mode) {
      case plan_mode::refresh_only:
        if (drifted) return;
        no_changes("Your infrastructure still matches the configuration.",
                   "OpenTofu has checked that the real remote objects still match the result of\n"
                   "your most recent changes, and found no differences.\n");
        return;
      case plan_mode::destroy:
        if (drifted) draw_rule();
        no_changes("No objects need to be destroyed.",
                   "Either you have not created any objects yet or the existing objects were\n"
                   "already deleted outside of OpenTofu.\n");
        if (drifted) draw_rule();  // as it stands before it, too
        return;
      case plan_mode::normal:
        break;
    }
    if (drifted) draw_rule();
    no_changes("Your infrastructure matches the configuration.",
               drifted ? matching_drift()
                       : "OpenTofu has compared your real infrastructure against your "
                         "configuration and\nfound no differences, so no changes are needed.\n");
  }

  std::string_view matching_drift() const {
    if (!plan_.applyable.value_or(true))
      return "Your configuration already matches the changes detected above. If you'd like to\n"
             "update the OpenTofu state to match, create and apply a refresh-only plan:\n"
             "  tofu apply -refresh-only\n";
    return "Your configuration already matches the changes detected above, so applying\n"
           "this plan will only update the state to include the changes detected above\n"
           "and won't change any real infrastructure.\n";
  }

  void no_changes(std::string_view headline, std::string_view text) {
    std::string all = "\n" + std::string{pen_[style::reset]} + std::string{pen_[style::bold]};
    all.append(coloured({style::green}, "No changes."));
    all.append(coloured({style::bold}, " " + std::string{headline}));
    out_(all.append("\n\n").append(pen_[style::reset]));
    tell(text);
  }

  void draw_legend() {
    if (counts_.empty()) return;
    tell(
        "\nOpenTofu used the selected providers to generate the following execution\n"
        "plan. Resource actions are indicated with the following symbols:\n");
    out_(legend(counts_, drawer_, pen_, made_by_));
  }

  void draw_resource(std::string_view text, const std::string& where, cause why) {
    const auto found = compute(parsed_, text, where, wanted_.known,
                               why == cause::drift ? relevant() : relevance{});
    if (!found) return;  // seen before
    const planned_action done = found->about.change.action;
    if (done == planned_action::none && !moves(found->about) && !found->about.change.importing)
      return;
    if (!found->has_schema) ++drawn_.without_schema;
    drawing how;
    const bool of_terraform = made_by_ == plan::product::terraform;
    how.no_signs = how.no_null_suffix = done == planned_action::forget && !of_terraform;
    how.show_unchanged = static_cast<bool>(found->about.change.importing);
    std::string made = "\n" + comment_of(found->about, why, drawer_, pen_, made_by_);
    made.append(of_terraform && done == planned_action::forget
                    ? sign_of(done, drawer_, pen_).substr(1)
                    : sign_of(done, drawer_, pen_))
        .append(" ")
        .append(header_of(found->about));
    made.append(" ").append(drawer_.draw(found->tree, 0, how)).append("\n");
    out_(made);
    if (why == cause::planned) draw_actions(found->about.address);
  }

  // What Terraform invokes before and after a change: recording version-terraform-1.17-actions.
  void draw_actions(std::string_view address) {
    const auto found = actions_.find(std::string{address});
    if (found == actions_.end()) return;
    for (const std::string_view when : {"before", "after"}) {
      bool first = true;
      for (const std::size_t index : found->second) {
        if (parsed_.parse(plan_.action_invocations[index], path("action_invocations", index)))
          continue;
        const json::value action = parsed_.root();
        if (event_of(action) != when) continue;
        std::string text;
        if (std::exchange(first, false))
          text = "\n    # Actions to be invoked " + std::string{when} + " this change in order:\n";
        out_(text + drawn(action));
      }
    }
  }

  static std::string_view event_of(json::value action) {
    const std::string_view event =
        action["lifecycle_action_trigger"]["action_trigger_event"].text();
    return event.starts_with("Before") ? "before" : "after";
  }

  std::string drawn(json::value action) const {
    sides config;
    config.before = config.after = action["config_values"];
    config.before_sensitive = config.after_sensitive = action["config_sensitive"];
    config.before_explicit = config.after_explicit = true;
    drawing how;
    how.show_unchanged = true;
    std::string text = "    # " + filtered(action["address"].text()) + "\n    action \"";
    text.append(filtered(action["type"].text())).append("\" \"");
    text.append(filtered(action["name"].text())).append("\" {\n        config ");
    change tree = compute(config);
    if (auto* object = std::get_if<object_change>(&tree.what)) {
      std::erase_if(object->members, [&](const change& member) {
        return is_nil(action["config_values"][member.key]);
      });
    }
    return text + drawer_.draw(tree, 1, how) + "\n    }\n\n";
  }

  std::string filtered(std::string_view text) const {
    return wanted_.filter ? wanted_.filter(text) : std::string{text};
  }

  // In the order in which they are invoked.
  std::optional<plan::failure> look_at_actions() {
    for (std::size_t i = 0; i < plan_.action_invocations.size(); ++i) {
      if (auto wrong = parsed_.parse(plan_.action_invocations[i], path("action_invocations", i)))
        return wrong;
      const json::value trigger = parsed_.root()["lifecycle_action_trigger"];
      actions_[std::string{trigger["triggering_resource_address"].text()}].push_back(i);
    }
    return {};
  }

  void draw_changes() {
    if (entries_.empty()) return;
    tell(plan_.errored
             ? "\nOpenTofu planned the following actions, but then encountered a problem:\n"
             : "\nOpenTofu will perform the following actions:\n");
    for (const entry& each : entries_)
      draw_resource(plan_.resource_changes[each.index], path("resource_changes", each.index),
                    cause::planned);
    std::string text = "\n" + coloured({style::bold}, "Plan:") + " " + counts_.in_words(made_by_);
    if (const auto actions = plan_.action_invocations.size(); actions > 0)
      text.append(" Actions: ").append(std::to_string(actions)).append(" to invoke.");
    out_(text.append("\n").append(pen_[style::reset]));
  }

  void draw_outputs() {
    if (outputs_.empty()) return;
    out_("\nChanges to Outputs:\n");
    for (const change& each : outputs_) {
      std::string text = drawer_.begin(0, each.action, {});
      text.append(padded(written_key(each.key), width_)).append(" = ");
      out_(text.append(drawer_.draw(each, 0, {})).append("\n"));
    }
    if (!counts_.empty()) return;
    tell(
        "\nYou can apply this plan to save these new output values to the OpenTofu\n"
        "state, without changing any real infrastructure.\n");
  }

  const plan::document& plan_;
  const plan_drawing& wanted_;
  plan::product made_by_;
  const text_sink& out_;
  text::ink pen_;
  drawer drawer_;
  plan::part parsed_, outputs_parsed_, relevant_parsed_;
  std::vector<entry> entries_, drift_;
  std::vector<change> outputs_;
  std::unordered_map<std::string, std::vector<std::size_t>> actions_;  // by what triggers them
  std::size_t width_ = 0;  // of the names of outputs, in bytes
  plan_counts counts_;
  drawn_plan drawn_;
};

// "1.12.6", "1.13.0-dev"; what says no version is drawn as by the version of this text.
bool is_of_1_13_or_newer(std::string_view version) {
  const std::size_t dot = std::min(version.find('.'), version.size());
  if (version.substr(0, dot) != "1") return !version.empty();
  const std::string_view rest = version.substr(std::min(dot + 1, version.size()));
  const auto minor = text::parse_whole_number<unsigned>(rest.substr(0, rest.find('.')));
  return minor && *minor >= 13;
}

}  // namespace

plan::result<drawn_plan> draw(const plan::document& plan, const plan_drawing& wanted,
                              const text_sink& out) {
  plan_drawing as_written = wanted;
  as_written.known.made_by = plan.made_by();
  if (!is_of_1_13_or_newer(plan.terraform_version))
    as_written.known.unknown = unknown_blocks::by_schema_around;
  return page{plan, as_written, out}.draw();
}

}  // namespace tofud::diff
