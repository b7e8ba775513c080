#include "protocol/attachments/plan_facts.hpp"

#include "protocol/plan/resource_change.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::attachments {
namespace {

using plan::planned_action;

std::string_view stream_word(const plan::resource_change& about) {
  switch (about.change.action) {
    case planned_action::create:
      return "create";
    case planned_action::read:
      return "read";
    case planned_action::update:
      return "update";
    case planned_action::remove:
      return "delete";
    case planned_action::remove_then_create:
    case planned_action::create_then_remove:
      return "replace";
    case planned_action::forget:
      return "remove";
    case planned_action::forget_then_create:  // OpenTofu has no word for it
    case planned_action::none:
    case planned_action::unknown:
      break;
  }
  return "noop";
}

/// A plan's word for a reason, where the stream has another.
std::string_view reason_word(std::string_view of_plan) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> others{
      {{"replace_because_tainted", "tainted"},
       {"replace_because_cannot_update", "cannot_update"},
       {"replace_by_request", "requested"},
       {"replace_by_triggers", "replace_triggered_by"}}};
  for (const auto& [in_plan, in_stream] : others) {
    if (of_plan == in_plan) return in_stream;
  }
  return of_plan;
}

void count(const plan::resource_change& about, feed::change_counts& to) {
  if (about.change.importing) ++to.import;
  if (about.mode == "data") return;
  switch (about.change.action) {
    case planned_action::create:
      ++to.add;
      break;
    case planned_action::update:
      ++to.change;
      break;
    case planned_action::remove:
      ++to.remove;
      break;
    case planned_action::remove_then_create:
    case planned_action::create_then_remove:
      ++to.add;
      ++to.remove;
      break;
    case planned_action::forget_then_create:
      ++to.add;
      ++to.forget;
      break;
    case planned_action::forget:
      ++to.forget;
      break;
    case planned_action::none:
    case planned_action::read:
    case planned_action::unknown:
      break;
  }
}

bool moves(const plan::resource_change& about) {
  return !about.previous_address.empty() && about.previous_address != about.address;
}

std::string index_of(const plan::resource_change& about) {
  std::string json;
  if (about.index)
    about.index.append_json(json);
  else
    json = "null";
  return json;
}

plan_facts::change to_fact(const plan::resource_change& about) {
  plan_facts::change made;
  made.address = about.address;
  made.index = index_of(about);
  if (moves(about)) made.previous_address = about.previous_address;
  made.deposed = about.deposed;
  made.action = stream_word(about);
  made.reason = reason_word(about.action_reason);
  made.imports = static_cast<bool>(about.change.importing);
  made.create_before_destroy = about.change.action == planned_action::create_then_remove;
  if (about.change.action == planned_action::none) {
    made.unsaid = true;
    made.action = moves(about) ? "move" : "import";
  }
  return made;
}

bool says_something(const plan::resource_change& about) {
  if (about.mode == "ephemeral") return false;
  if (about.mode == "data" && about.change.action == planned_action::remove) return false;
  return about.change.action != planned_action::none || moves(about) || about.change.importing;
}

template <typename Use>
std::optional<plan::failure> each_change(const std::vector<std::string_view>& texts,
                                         std::string_view name, const Use& use) {
  plan::part parsed;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
    if (auto wrong = parsed.parse(texts[i], path)) return wrong;
    const auto about = plan::read_resource_change(parsed.root(), path);
    if (!about) return about.error();
    use(*about);
  }
  return {};
}

}  // namespace

plan::result<plan_facts> plan_facts::read(const plan::document& from) {
  plan_facts made;
  const auto change = [&](const plan::resource_change& about) {
    count(about, made.counts_);
    if (says_something(about)) made.changes_.push_back(to_fact(about));
  };
  const auto drifted = [&](const plan::resource_change& about) {
    if (about.change.action == planned_action::update ||
        about.change.action == planned_action::remove)
      made.drifts_.push_back({std::string{about.address}, index_of(about), stream_word(about)});
  };
  if (auto wrong = each_change(from.resource_changes, "resource_changes", change)) return *wrong;
  if (auto wrong = each_change(from.resource_drift, "resource_drift", drifted)) return *wrong;
  std::stable_sort(made.changes_.begin(), made.changes_.end(),
                   [](const auto& one, const auto& other) { return one.address < other.address; });
  plan::part outputs;
  if (auto wrong = outputs.parse(from.output_changes, "output_changes")) return *wrong;
  for (const json::value each : outputs.root()) {
    const std::string path = "output_changes." + std::string{each.key()};
    const auto read = plan::read_change(each, path);
    if (!read) return read.error();
    plan::resource_change named;
    named.change = *read;
    const bool sensitive = read->after_sensitive.is(json::kind::boolean_true) ||
                           read->before_sensitive.is(json::kind::boolean_true);
    made.outputs_.push_back({std::string{each.key()}, stream_word(named), sensitive});
  }
  return made;
}

std::span<const plan_facts::change> plan_facts::of(std::string_view address) const {
  const auto [first, last] = std::equal_range(
      changes_.begin(), changes_.end(), address, [](const auto& one, const auto& other) {
        const auto text = [](const auto& side) -> std::string_view {
          if constexpr (std::is_same_v<std::decay_t<decltype(side)>, change>)
            return side.address;
          else
            return side;
        };
        return text(one) < text(other);
      });
  return {first, last};
}

}  // namespace tofud::attachments
