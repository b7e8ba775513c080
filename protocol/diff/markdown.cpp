#include "protocol/diff/markdown.hpp"

#include "protocol/diff/diff_fence.hpp"
#include "protocol/diff/drawer.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/plan_counts.hpp"
#include "protocol/diff/resource_comment.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/plan/checks.hpp"
#include "protocol/text/limits.hpp"
#include "protocol/text/markdown.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::diff {
namespace {

using plan::planned_action;
using text::html_code;
using text::markdown_code;

constexpr room json_room{limits::json_text_bytes, limits::json_text_bytes};

// For the last lines of two lists, which count what was left out.
constexpr std::size_t for_the_counts = 400;

// What can't be got back comes first.
int rank(planned_action done) {
  switch (done) {
    case planned_action::remove:
      return 0;
    case planned_action::remove_then_create:
    case planned_action::create_then_remove:
      return 1;
    case planned_action::forget:
    case planned_action::forget_then_create:
    case planned_action::unknown:
      return 2;
    case planned_action::update:
      return 3;
    case planned_action::create:
      return 4;
    case planned_action::read:
      return 5;
    case planned_action::none:
      return 6;
  }
  return 6;
}

std::string_view word_for(planned_action done) {
  switch (done) {
    case planned_action::remove:
      return "destroy";
    case planned_action::remove_then_create:
    case planned_action::create_then_remove:
      return "replace";
    case planned_action::forget:
      return "forget";
    case planned_action::forget_then_create:
      return "forget and create";
    case planned_action::update:
      return "update";
    case planned_action::create:
      return "create";
    case planned_action::read:
      return "read";
    case planned_action::none:
      return "";
    case planned_action::unknown:
      return "unknown action";
  }
  return "";
}

// "20,000".
std::string with_commas(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

// What is said of a resource besides what is done to it.
template <typename Code>
std::string remarks(const plan::resource_change& about, Code code) {
  std::string text;
  if (!about.deposed.empty()) text.append(", deposed object ").append(code(about.deposed));
  if (moves(about)) text.append(", moved from ").append(code(about.previous_address));
  if (about.change.importing) text.append(", imported");
  if (about.action_reason == "replace_because_tainted") text.append(", tainted");
  return text;
}

// "`-/+` `aws_vpc.main` replace, moved from `aws_vpc.old`".
template <typename Code>
std::string title(const plan::resource_change& about, const drawer& with, Code code) {
  static const text::ink plain{text::ink::colours::no};
  const planned_action done = about.change.action;
  std::string sign = sign_of(done, with, plain);
  sign.erase(0, sign.find_first_not_of(' '));
  std::string text = sign.empty() ? "" : code(sign) + " ";
  text.append(code(about.address));
  std::string words{word_for(done)};
  words.append(remarks(about, code));
  if (words.starts_with(", ")) words.erase(0, 2);
  if (!words.empty()) text.append(" ").append(words);
  return text;
}

std::string folded(const std::string& title, const std::string& block) {
  return "<details><summary>" + title + "</summary>\n\n" + block + "\n</details>\n\n";
}

// Entries of one kind that had no room.
class left_out_counts {
 public:
  void add(planned_action done) {
    ++all_;
    ++counts_[static_cast<std::size_t>(done)];
  }
  bool empty() const { return all_ == 0; }
  std::string in_words() const {
    std::string kinds;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const std::string_view word = word_for(static_cast<planned_action>(i));
      if (counts_[i] == 0 || word.empty()) continue;
      kinds.append(kinds.empty() ? ": " : ", ").append(with_commas(counts_[i]));
      kinds.append(" ").append(word);
    }
    return "\n… and " + with_commas(all_) + (all_ == 1 ? " more resource" : " more resources") +
           kinds + "\n\n";
  }

 private:
  std::size_t all_ = 0;
  std::array<std::size_t, static_cast<std::size_t>(planned_action::unknown) + 1> counts_{};
};

class comment {
 public:
  comment(const plan::document& plan, const plan_drawing& wanted, std::string& out,
          std::size_t room)
      : plan_{plan}, wanted_{wanted}, out_{out}, room_{room} {
    wanted_.known.marks = sensitivity::plan_and_schema;
  }

  plan::result<drawn_plan> draw(std::string_view remarks) {
    if (auto wrong = relevant_parsed_.parse(plan_.relevant_attributes, "relevant_attributes"))
      return std::move(*wrong);
    if (auto wrong = look_at_changes()) return std::move(*wrong);
    if (auto wrong = look_at_drift()) return std::move(*wrong);
    std::string after;
    if (auto wrong = add_checks(after)) return std::move(*wrong);
    if (auto wrong = add_outputs(after)) return std::move(*wrong);
    const std::string head = headline().append(remarks);
    const std::size_t fixed = head.size() + after.size() + for_the_counts;
    out_.append(head);
    add_resources(room_ - std::min(room_, fixed));
    out_.append(after);
    return drawn_;
  }

 private:
  struct entry {
    std::size_t index;
    planned_action done;
    cause why;
    std::size_t bytes;  // of its line
  };

  static std::string path(std::string_view of, std::size_t index) {
    return std::string{of} + "[" + std::to_string(index) + "]";
  }

  std::string line(const plan::resource_change& about) const {
    return "- " + title(about, drawer_, markdown_code) + "\n";
  }

  std::optional<plan::failure> look_at_changes() {
    for (std::size_t i = 0; i < plan_.resource_changes.size(); ++i) {
      const auto about = read(parsed_, plan_.resource_changes[i], path("resource_changes", i));
      if (!about) return about.error();
      if (!is_told(*about)) continue;
      counts_.add(about->change);
      entries_.push_back({i, about->change.action, cause::planned, line(*about).size()});
    }
    std::stable_sort(entries_.begin(), entries_.end(), [](const entry& one, const entry& other) {
      return rank(one.done) < rank(other.done);
    });
    return {};
  }

  std::optional<plan::failure> look_at_drift() {
    for (std::size_t i = 0; i < plan_.resource_drift.size(); ++i) {
      const auto found = compute(parsed_, plan_.resource_drift[i], path("resource_drift", i),
                                 wanted_.known, relevant());
      if (!found) return found.error();
      const bool changes = found->tree.action != action::none;
      if (!found->relevant || !changes || !is_told(found->about)) continue;
      entries_.push_back({i, found->about.change.action, cause::drift, line(found->about).size()});
    }
    return {};
  }

  relevance relevant() const {
    return {wanted_.mode == plan_mode::refresh_only, relevant_parsed_.root()};
  }

  std::string headline() const {
    std::string text = "### ";
    const std::size_t lost = counts_.of(planned_action::remove);
    const std::size_t replaced = counts_.of(planned_action::remove_then_create) +
                                 counts_.of(planned_action::create_then_remove);
    if (plan_.errored) text.append("❌ Planning failed. ");
    if (counts_.empty() && entries_.empty()) {
      text.append(has_outputs_ ? "Plan: only outputs change" : "Plan: no changes");
    } else {
      if (lost + replaced > 0) text.append("⚠️ ");
      text.append("Plan: ").append(counts_.in_words());
      text.pop_back();
    }
    text.append("\n\n");
    if (lost + replaced == 0) return text;
    text.append("**");
    if (lost > 0) text.append(with_commas(lost)).append(" will be destroyed");
    if (lost > 0 && replaced > 0) text.append(", ");
    if (replaced > 0) text.append(with_commas(replaced)).append(" will be replaced");
    return text.append("**\n\n");
  }

  // Changes are shown as long as all lines have room besides; those that lose something in a
  // quarter of the room even if not.
  void add_resources(std::size_t room) {
    std::size_t lines = 0;
    for (const entry& each : entries_) lines += each.bytes + 1;
    const std::size_t spare = room > lines ? room - lines : 0;
    const std::size_t begin = out_.size();
    std::size_t unfolded = 0;
    left_out_counts left_out;
    cause section = cause::planned;
    for (const entry& each : entries_) {
      if (each.why != section) {
        end_section(left_out);
        section = each.why;
        out_.append("\n**Changed outside of OpenTofu**\n\n");
      }
      if (!left_out.empty()) {
        left_out.add(each.done);
        continue;
      }
      const bool loses =
          each.why == cause::planned && rank(each.done) < rank(planned_action::create);
      const std::size_t allowed = loses ? std::max(spare, room / 4) : spare;
      std::string piece = piece_of(each, allowed - std::min(allowed, unfolded));
      if (out_.size() - begin + piece.size() > room) {
        left_out.add(each.done);
        continue;
      }
      unfolded += piece.size() - std::min(piece.size(), each.bytes);
      out_.append(piece);
    }
    end_section(left_out);
  }

  void end_section(left_out_counts& left_out) {
    if (!left_out.empty()) out_.append(left_out.in_words());
    left_out = {};
  }

  // The whole of it if that costs no more than `extra` bytes over its line.
  std::string piece_of(const entry& of, std::size_t extra) {
    const bool drifted = of.why == cause::drift;
    const auto& texts = drifted ? plan_.resource_drift : plan_.resource_changes;
    const std::string where = path(drifted ? "resource_drift" : "resource_changes", of.index);
    constexpr std::size_t least = 100;  // tags and fence
    if (extra < least || of.done == planned_action::none) {
      const auto about = read(parsed_, texts[of.index], where);
      return about ? line(*about) : std::string{};  // it was read before
    }
    const auto found =
        compute(parsed_, texts[of.index], where, wanted_.known, drifted ? relevant() : relevance{});
    if (!found) return {};
    if (!found->has_schema) ++drawn_.without_schema;
    const std::string whole =
        (out_.ends_with("\n\n") ? "" : "\n") +
        folded(title(found->about, drawer_, html_code), drawn(*found, of.why));
    return whole.size() <= of.bytes + extra ? whole : line(found->about);
  }

  std::string drawn(const resource_diff& found, cause why) const {
    drawing how;
    how.no_labels = true;
    how.no_signs = how.no_null_suffix = found.about.change.action == planned_action::forget;
    plan::resource_change about = found.about;
    about.change.importing = {};  // an id may be as secret as anything
    std::string text = comment_of(about, why, drawer_, pen_);
    text.append(sign_of(about.change.action, drawer_, pen_)).append(" ").append(header_of(about));
    text.append(" ").append(drawer_.draw(found.tree, 0, how));
    return diff_fence(text, limits::markdown_change_bytes);
  }

  std::optional<plan::failure> add_checks(std::string& to) const {
    plan::part parsed;
    if (auto wrong = parsed.parse(plan_.checks, "checks")) return wrong;
    const auto all = plan::read_checks(parsed.root());
    if (!all) return all.error();
    std::string lines;
    std::size_t left_out = 0;
    const auto add = [&](const plan::check_instance& of) {
      if (of.status != plan::check_status::fail && of.status != plan::check_status::error) return;
      std::string made = "- " + markdown_code(of.address) + " ";
      made.append(of.status == plan::check_status::fail ? "fails" : "can't be evaluated");
      for (const std::string_view each : of.problems) made.append(": ").append(markdown_code(each));
      if (lines.size() + made.size() < std::min(limits::markdown_text_bytes, room_ / 4))
        lines.append(made).append("\n");
      else
        ++left_out;
    };
    for (const plan::check& each : *all) {
      if (each.instances.empty()) add({each.address, each.status, {}});
      for (const plan::check_instance& instance : each.instances) add(instance);
    }
    if (lines.empty() && left_out == 0) return {};
    to.append("\n**Checks**\n\n").append(lines);
    if (left_out > 0) to.append("\n… and ").append(with_commas(left_out)).append(" more checks\n");
    to.append("\n");
    return {};
  }

  std::optional<plan::failure> add_outputs(std::string& to) {
    plan::part parsed;
    if (auto wrong = parsed.parse(plan_.output_changes, "output_changes")) return wrong;
    std::string drawn;
    const members all{parsed.root()};
    for (const json::value each : all.all()) {
      const auto found = plan::read_change(each, "output_changes." + std::string{each.key()});
      if (!found) return found.error();
      sides between = sides_of(*found);
      between.replace = {};
      const change tree = compute(between);
      if (tree.action == action::none) continue;
      drawn.append(drawer_.begin(0, tree.action, {})).append(written_key(each.key()));
      drawn.append(" = ").append(drawer_.draw(tree, 0, {})).append("\n");
    }
    has_outputs_ = !drawn.empty();
    if (has_outputs_)
      to.append("\n").append(
          folded("Changes to outputs",
                 diff_fence(drawn, std::min(limits::markdown_change_bytes, room_ / 4))));
    return {};
  }

  const plan::document& plan_;
  plan_drawing wanted_;
  std::string& out_;
  std::size_t room_;
  text::ink pen_{text::ink::colours::yes};  // diff_fence finds the signs by them
  text_filter filter_ = text::readable_line;
  drawer drawer_{pen_, filter_, json_room};
  plan::part parsed_, relevant_parsed_;
  std::vector<entry> entries_;
  plan_counts counts_;
  drawn_plan drawn_;
  bool has_outputs_ = false;
};

}  // namespace

plan::result<drawn_plan> draw_markdown(const plan::document& plan, const plan_drawing& wanted,
                                       std::string& out, std::size_t room,
                                       std::string_view remarks) {
  return comment{plan, wanted, out, room}.draw(remarks);
}

}  // namespace tofud::diff
