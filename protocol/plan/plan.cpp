#include "protocol/plan/plan.hpp"

#include "protocol/json/ranges.hpp"
#include "protocol/plan/format_version.hpp"
#include "protocol/text/whole_number.hpp"

#include <string>
#include <utility>

namespace tofud::plan {
namespace {

// A string without escapes; what else stands there is none of those that are read so.
std::optional<failure> read_elements(const json::range& from, std::vector<std::string_view>& to) {
  if (from.text == "null") return {};
  const auto found = json::elements_of(from.text);
  if (!found) return failure{error::no_array, from.key};
  for (const json::range& each : *found) to.push_back(each.text);
  return {};
}

// Nothing if the member was read or is one that nobody asks for.
std::optional<failure> read_member(const json::range& from, document& into) {
  using view = std::string_view;
  const std::string_view key = from.key;
  for (const auto& [name, to] : {std::pair{view{"format_version"}, &into.format_version},
                                 std::pair{view{"terraform_version"}, &into.terraform_version},
                                 std::pair{view{"timestamp"}, &into.timestamp}}) {
    if (key == name) *to = json::plain_string(from.text);
  }
  for (const auto& [name, to] : {std::pair{view{"output_changes"}, &into.output_changes},
                                 std::pair{view{"relevant_attributes"}, &into.relevant_attributes},
                                 std::pair{view{"variables"}, &into.variables},
                                 std::pair{view{"planned_values"}, &into.planned_values},
                                 std::pair{view{"prior_state"}, &into.prior_state},
                                 std::pair{view{"configuration"}, &into.configuration},
                                 std::pair{view{"checks"}, &into.checks}}) {
    if (key == name) *to = from.text;
  }
  if (key == "errored") {
    into.errored = from.text == "true";
    into.says_errored = true;
  }
  if (key == "masked") into.masked = from.text == "true";
  if (key == "applyable") into.applyable = from.text == "true";
  if (key == "complete") into.complete = from.text == "true";
  if (key == "resource_changes") return read_elements(from, into.resource_changes);
  if (key == "action_invocations") return read_elements(from, into.action_invocations);
  if (key == "resource_drift") return read_elements(from, into.resource_drift);
  return {};
}

}  // namespace

product document::made_by() const {
  if (applyable) return product::terraform;
  constexpr std::string_view first = "1.";
  if (says_errored || !terraform_version.starts_with(first)) return product::opentofu;
  const std::string_view rest = terraform_version.substr(first.size());
  const auto minor = text::parse_whole_number<unsigned>(rest.substr(0, rest.find('.')));
  return minor && *minor < 8 ? product::terraform : product::opentofu;
}

result<document> read(std::string_view text) {
  const auto members = json::members_of(text);
  if (!members) return failure{error::no_json_object};
  document made;
  bool state = false;
  for (const json::range& each : *members) {
    if (auto wrong = read_member(each, made)) return std::move(*wrong);
    state = state || each.key == "values";
  }
  if (auto refused = refused_version(made.format_version)) return std::move(*refused);
  if (state) return failure{error::values_of_a_state};
  return made;
}

part::part() : parser_{json::keep_everything} {}

std::optional<failure> part::parse(std::string_view text, std::string_view path) {
  parsed_ = false;
  if (text.empty()) return {};
  if (const auto wrong = parser_.parse(text))
    return failure{error::no_json, path, json::describe(*wrong)};
  parsed_ = true;
  return {};
}

}  // namespace tofud::plan
