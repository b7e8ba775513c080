#include "protocol/redact/hidden_values.hpp"

#include "protocol/diff/resource_diff.hpp"
#include "protocol/diff/state_resources.hpp"
#include "protocol/json/limits.hpp"
#include "protocol/plan/configuration.hpp"
#include "protocol/plan/state.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/pattern_search.hpp"
#include "protocol/redact/plan_sides.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tofud::redact {
namespace {

using json::kind;
using json::value;

class value_collector {
 public:
  value_collector(const plan::document& from, const schema::schemas* known)
      : from_{from}, schemas_{known} {}

  std::optional<plan::failure> changes() {
    return changes_of_plan{from_, schemas_}.for_each(
        [this](value resource, value change, const known_value& known, std::string_view output) {
          names_.emplace(resource ? resource["address"].string().value_or("") : output);
          const auto [before, after] = sides_of(change, known);
          look(before);
          look(after);
        });
  }

  /// What data sources have read while planning is nowhere else.
  std::optional<plan::failure> prior_state() {
    if (from_.prior_state.empty() || from_.prior_state == "null") return {};
    const auto state = plan::read_state(from_.prior_state);
    if (!state) return state.error();
    return diff::for_each_resource(*state, [this](const plan::state_resource& each) {
      names_.emplace(each.address);
      known_value known;
      if (const auto* type = diff::find({schemas_}, each.provider_name, each.mode, each.type))
        known.block = &type->block;
      look({each.values, each.sensitive_values, {}, known});
    });
  }

  std::optional<plan::failure> variables() {
    plan::part declared, given;
    if (auto wrong = declared.parse(from_.configuration, "configuration")) return wrong;
    if (auto wrong = given.parse(from_.variables, "variables")) return wrong;
    for (const value each : declared.root()["root_module"]["variables"]) {
      if (!each["sensitive"].is(kind::boolean_true)) continue;
      add(each["default"]);
      add(given.root()[each.key()]["value"]);
    }
    return {};
  }

  hidden_values done() {
    forget_names();
    std::vector<std::string> sorted{found_.begin(), found_.end()};
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& one, const auto& other) { return one.size() < other.size(); });
    hidden_values all;
    std::size_t bytes = 0;
    for (std::string& each : sorted) {
      bytes += each.size();
      if (all.texts.size() == limits::hidden_values || bytes > limits::mask_file_bytes)
        ++all.left_out;
      else
        all.texts.push_back(std::move(each));
    }
    return all;
  }

 private:
  void look(const side& from) {  // NOLINT(misc-no-recursion): limits::json_depth bounds it
    if (from.is_sensitive()) return add(from.of);
    for_each_part(from, [this](const side& part) { look(part); });  // NOLINT(misc-no-recursion)
  }

  void add(value secret) {  // NOLINT(misc-no-recursion)
    if ((secret.is(kind::string) || secret.is(kind::number)) &&
        secret.text().size() >= limits::hidden_value_bytes)
      found_.emplace(secret.text());
    for (const value each : secret) add(each);
  }

  /// One look at each name for all that was found.
  void forget_names() {
    std::vector<redact::pattern_search::pattern> patterns;
    for (const std::string& each : found_)
      patterns.push_back({each, redact::pattern_search::kind::fixed});
    const redact::pattern_search search{std::move(patterns)};
    for (const std::string_view name : names_) {
      search.scan(name, [&](auto, std::size_t begin, std::size_t end, auto) {
        // Of those that end here the longest is told.
        for (; begin < end; ++begin) found_.erase(std::string{name.substr(begin, end - begin)});
        return true;
      });
    }
  }

  const plan::document& from_;
  const schema::schemas* schemas_;
  std::set<std::string> found_, names_;
};

}  // namespace

plan::result<hidden_values> hidden_values_of(const plan::document& from,
                                             const schema::schemas* known) {
  if (from.masked) return hidden_values{};
  value_collector all{from, known};
  if (auto wrong = all.changes()) return std::move(*wrong);
  if (auto wrong = all.prior_state()) return std::move(*wrong);
  if (auto wrong = all.variables()) return std::move(*wrong);
  return {boost::system::in_place_value, all.done()};
}

}  // namespace tofud::redact
