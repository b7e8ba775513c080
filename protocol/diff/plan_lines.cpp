#include "protocol/diff/plan_lines.hpp"

#include "protocol/diff/compact.hpp"
#include "protocol/diff/drawer.hpp"
#include "protocol/diff/plan_counts.hpp"
#include "protocol/diff/rows.hpp"
#include "protocol/diff/state_resources.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/plan/checks.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tofud::diff {
namespace {

using plan::planned_action;

class lines {
 public:
  lines(knowledge known, text::ink::colours colours, const text_filter& filter, line_form form,
        text_sink out)
      : known_{known}, form_{form}, out_{std::move(out)}, pen_{colours}, drawer_{pen_, filter, {}} {
    known_.marks = sensitivity::plan_and_schema;
  }

  std::optional<plan::failure> planned(const plan::document& plan, std::size_t i) {
    const std::string path = "resource_changes[" + std::to_string(i) + "]";
    const auto found = compute(parsed_, plan.resource_changes[i], path, known_);
    if (!found) return found.error();
    if (!is_told(found->about)) return {};
    counts_.add(found->about.change);
    resource(*found, cause::planned);
    return {};
  }

  std::optional<plan::failure> end(const plan::document& plan) {
    if (auto wrong = outputs(plan)) return wrong;
    if (auto wrong = checks(plan.checks)) return wrong;
    if (form_ == line_form::compact)
      out_("Plan: " + counts_.in_words() + "\n");
    else
      summary(plan, counts_);
    return {};
  }

  const drawn_plan& drawn() const { return drawn_; }

  plan::result<drawn_plan> of_state(const plan::state_document& state) {
    auto wrong =
        for_each_resource(state, [&](const plan::state_resource& each) { state_resource(each); });
    if (!wrong) wrong = state_outputs(state);
    if (wrong) return std::move(*wrong);
    return drawn_;
  }

  std::optional<plan::failure> drift(const plan::document& plan, plan_mode mode) {
    plan::part attributes;
    if (auto wrong = attributes.parse(plan.relevant_attributes, "relevant_attributes"))
      return wrong;
    const relevance relevant{mode == plan_mode::refresh_only, attributes.root()};
    for (std::size_t i = 0; i < plan.resource_drift.size(); ++i) {
      const std::string path = "resource_drift[" + std::to_string(i) + "]";
      const auto found = compute(parsed_, plan.resource_drift[i], path, known_, relevant);
      if (!found) return found.error();
      const bool changes = found->tree.action != action::none || mode == plan_mode::refresh_only;
      if (found->relevant && changes && is_told(found->about)) resource(*found, cause::drift);
    }
    return {};
  }

 private:
  void resource(const resource_diff& found, cause why) {
    if (!found.has_schema) ++drawn_.without_schema;
    if (form_ == line_form::compact)
      out_(compact_line(found.about, found.tree, why, drawer_, pen_));
    else
      out_(row_of(found, why == cause::drift) + "\n");
  }

  void output(std::string_view name, const change& tree) {
    if (form_ == line_form::compact) {
      const std::string sign = drawer_.begin(0, tree.action, {});
      out_(sign + "output." + written_key(name) + "\n");
      return;
    }
    std::string row = "{\"kind\":\"output\",\"name\":";
    json::append_quoted(row, name);
    rows_part part;
    part.unchanged = tree.action == action::none;
    out_(row.append(",\"body\":").append(row_of(tree, part)).append("}\n"));
  }

  std::optional<plan::failure> outputs(const plan::document& plan) {
    plan::part parsed;
    if (auto wrong = parsed.parse(plan.output_changes, "output_changes")) return wrong;
    const members all{parsed.root()};
    for (const json::value each : all.all()) {
      const auto found = plan::read_change(each, "output_changes." + std::string{each.key()});
      if (!found) return found.error();
      const change tree = compute(sides_of(*found));
      if (tree.action != action::none) output(each.key(), tree);
    }
    return {};
  }

  std::optional<plan::failure> checks(std::string_view text) {
    plan::part parsed;
    if (auto wrong = parsed.parse(text, "checks")) return wrong;
    const auto all = plan::read_checks(parsed.root());
    if (!all) return all.error();
    for (const plan::check& each : *all) {
      // What has instances is told by them.
      if (each.instances.empty()) check({each.address, each.status, {}});
      for (const plan::check_instance& instance : each.instances) check(instance);
    }
    return {};
  }

  void check(const plan::check_instance& of) {
    if (form_ == line_form::compact) {
      if (of.status != plan::check_status::fail && of.status != plan::check_status::error) return;
      std::string line = drawer_.text(of.address);
      line.append(": ").append(plan::name(of.status));
      for (const std::string_view problem : of.problems)
        line.append(": ").append(drawer_.text(problem.substr(0, problem.find('\n'))));
      return out_(line.append("\n"));
    }
    std::string row = "{\"kind\":\"check\",\"address\":";
    json::append_quoted(row, of.address);
    row.append(",\"status\":\"").append(plan::name(of.status)).append("\",\"problems\":[");
    for (const std::string_view problem : of.problems) {
      if (row.back() != '[') row.push_back(',');
      json::append_quoted(row, problem);
    }
    out_(row.append("]}\n"));
  }

  void summary(const plan::document& plan, const plan_counts& counts) {
    std::string row = "{\"kind\":\"summary\"";
    using word = std::pair<std::string_view, planned_action>;
    for (const auto& [name, done] :
         {word{"create", planned_action::create}, word{"read", planned_action::read},
          word{"update", planned_action::update}, word{"delete", planned_action::remove},
          word{"delete_then_create", planned_action::remove_then_create},
          word{"create_then_delete", planned_action::create_then_remove},
          word{"forget", planned_action::forget},
          word{"forget_then_create", planned_action::forget_then_create},
          word{"unknown", planned_action::unknown}}) {
      if (counts.of(done) == 0) continue;
      row.append(",\"").append(name).append("\":").append(std::to_string(counts.of(done)));
    }
    if (plan.errored) row.append(",\"errored\":true");
    out_(row.append("}\n"));
  }

  void state_resource(const plan::state_resource& about) {
    const auto found = tree_of(about, known_);
    if (!found.has_schema) ++drawn_.without_schema;
    if (form_ == line_form::compact) {
      std::string line = drawer_.text(about.address);
      if (!about.deposed_key.empty())
        line.append(" (deposed object ").append(drawer_.text(about.deposed_key)).append(")");
      if (about.tainted) line.append(" (tainted)");
      out_(line.append("\n"));
      return;
    }
    std::string row = "{\"kind\":\"resource\",\"address\":";
    json::append_quoted(row, about.address);
    if (!about.deposed_key.empty()) {
      row.append(",\"deposed\":");
      json::append_quoted(row, about.deposed_key);
    }
    if (about.tainted) row.append(",\"tainted\":true");
    if (!found.has_schema) row.append(",\"schema\":false");
    rows_part part;
    part.unchanged = true;
    out_(row.append(",\"body\":").append(row_of(found.tree, part)).append("}\n"));
  }

  std::optional<plan::failure> state_outputs(const plan::state_document& state) {
    return for_each_output(state,
                           [&](std::string_view name, const change& tree) { output(name, tree); });
  }

  knowledge known_;
  line_form form_;
  text_sink out_;
  text::ink pen_;
  drawer drawer_;
  plan::part parsed_;
  plan_counts counts_;
  drawn_plan drawn_;
};

}  // namespace

class plan_lines::state {
 public:
  state(const plan::document& plan, const plan_drawing& wanted, line_form form, text_sink out)
      : plan_{plan},
        mode_{wanted.mode},
        lines_{wanted.known, wanted.colours, wanted.filter, form, std::move(out)} {}

  // The drift, each change, what comes behind them.
  plan::result<bool> next() {
    const std::size_t step = step_++;
    const std::size_t changes = plan_.resource_changes.size();
    const auto wrong = step == 0         ? lines_.drift(plan_, mode_)
                       : step <= changes ? lines_.planned(plan_, step - 1)
                                         : lines_.end(plan_);
    if (wrong) return *wrong;
    return step <= changes;
  }

  const drawn_plan& drawn() const { return lines_.drawn(); }

 private:
  const plan::document& plan_;
  plan_mode mode_;
  lines lines_;
  std::size_t step_ = 0;
};

plan_lines::plan_lines(const plan::document& plan, const plan_drawing& wanted, line_form form,
                       text_sink out)
    : state_{std::make_unique<state>(plan, wanted, form, std::move(out))} {}
plan_lines::~plan_lines() = default;
plan_lines::plan_lines(plan_lines&&) noexcept = default;
plan_lines& plan_lines::operator=(plan_lines&&) noexcept = default;

plan::result<bool> plan_lines::next() { return state_->next(); }
const drawn_plan& plan_lines::drawn() const { return state_->drawn(); }

plan::result<drawn_plan> draw_lines(const plan::document& plan, const plan_drawing& wanted,
                                    line_form form, const text_sink& out) {
  plan_lines all{plan, wanted, form, out};
  for (;;) {
    const auto more = all.next();
    if (!more) return more.error();
    if (!*more) return all.drawn();
  }
}

plan::result<drawn_plan> draw_lines(const plan::state_document& state, const state_drawing& wanted,
                                    line_form form, const text_sink& out) {
  return lines{wanted.known, wanted.colours, wanted.filter, form, out}.of_state(state);
}

}  // namespace tofud::diff
