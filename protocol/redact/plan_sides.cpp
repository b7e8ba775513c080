#include "protocol/redact/plan_sides.hpp"

#include "protocol/diff/resource_diff.hpp"
#include "protocol/plan/resource_change.hpp"
#include "protocol/redact/placeholders.hpp"

#include <string>

namespace tofud::redact {

using json::value;

value nth(const std::vector<value>& of, std::size_t i) { return i < of.size() ? of[i] : value{}; }

std::vector<value> elements(value of) {
  std::vector<value> all;
  if (!of.is(json::kind::array)) return all;
  for (const value each : of) all.push_back(each);
  return all;
}

std::pair<side, side> sides_of(value change, const known_value& known) {
  const value before = change["before_sensitive"], after = change["after_sensitive"];
  return {{change["before"], before, after, known}, {change["after"], after, before, known}};
}

std::optional<plan::failure> changes_of_plan::for_each_resource(const use_change& use,
                                                                const border& between) {
  using view = std::string_view;
  for (const auto& [name, texts] : {std::pair{view{"resource_changes"}, &from_.resource_changes},
                                    std::pair{view{"resource_drift"}, &from_.resource_drift}}) {
    if (texts->empty()) continue;
    if (between) between(name, true);
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
      const auto about = diff::read(parsed_, (*texts)[i], path);
      if (!about) return about.error();
      known_value known;
      if (const auto* type = diff::find({schemas_}, about->provider_name, about->mode, about->type))
        known.block = &type->block;
      use(parsed_.root(), parsed_.root()["change"], known, {});
    }
    if (between) between(name, false);
  }
  return {};
}

std::optional<plan::failure> changes_of_plan::for_each(const use_change& use,
                                                       const border& between) {
  if (auto wrong = for_each_resource(use, between)) return wrong;
  if (auto wrong = parsed_.parse(from_.output_changes, output_changes)) return wrong;
  if (is_nothing(parsed_.root())) return {};
  if (between) between(output_changes, true);
  for (const value each : parsed_.root()) {
    const auto read =
        plan::read_change(each, std::string{output_changes} + "." + std::string{each.key()});
    if (!read) return read.error();
    use({}, each, {}, each.key());
  }
  if (between) between(output_changes, false);
  return {};
}

}  // namespace tofud::redact
