// The values of a plan with what says that they are sensitive: the plan's marks and the schema's.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/redact/known_value.hpp"
#include "protocol/schema/schema.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::redact {

/// One side of a value. The mark is true, or of the value's shape with true in places; of the other
/// side it counts as well where both have the same name.
struct side {
  json::value of, mark, other_mark;
  known_value known;

  bool is_sensitive() const {
    return known.sensitive || mark.is(json::kind::boolean_true) ||
           other_mark.is(json::kind::boolean_true);
  }
  bool has_parts() const { return of.is(json::kind::object) || of.is(json::kind::array); }
};

/// Both sides of a change, which may be empty.
std::pair<side, side> sides_of(json::value change, const known_value& known);

std::vector<json::value> elements(json::value of);
/// The i-th of two lists, or nothing.
json::value nth(const std::vector<json::value>& of, std::size_t i);

template <typename Use>
void for_each_part(const side& of, const Use& use) {
  if (of.of.is(json::kind::object)) {
    for (const json::value each : of.of)
      use(side{each, of.mark[each.key()], of.other_mark[each.key()], of.known.member(each.key())});
  } else if (of.of.is(json::kind::array)) {
    // Which element belongs to which of the other side is for the diff to find out.
    const auto mark = elements(of.mark);
    std::size_t i = 0;
    for (const json::value each : of.of) use(side{each, nth(mark, i++), {}, of.known.element()});
  }
}

inline constexpr std::string_view output_changes = "output_changes";

/// Changes, drift and outputs of a plan one after another. What is told is valid during the call.
class changes_of_plan {
 public:
  /// Of an output `resource` is empty, of a resource the name of the output.
  using use_change = std::function<void(json::value resource, json::value change,
                                        const known_value& known, std::string_view output)>;
  /// Where a list of the plan begins and ends.
  using border = std::function<void(std::string_view name, bool begins)>;

  /// Both outlive this; null: no schemas.
  changes_of_plan(const plan::document& from, const schema::schemas* known)
      : from_{from}, schemas_{known} {}

  std::optional<plan::failure> for_each(const use_change& use, const border& between = {});

 private:
  std::optional<plan::failure> for_each_resource(const use_change& use, const border& between);

  const plan::document& from_;
  const schema::schemas* schemas_;
  plan::part parsed_;
};

}  // namespace tofud::redact
