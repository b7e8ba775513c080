// A plan in the JSON output format, as `tofu show -json PLAN` writes it.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/failure.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace tofud::plan {

/// The parts of a plan as they stand in its text; each is parsed alone, when it is asked for. So
/// memory beyond the text is some bytes for each resource. Views into the text; those of members
/// that are absent are empty.
/// Whose plan it is: their texts differ.
enum class product : bool { opentofu, terraform };

struct document {
  std::string_view format_version, terraform_version, timestamp;
  bool errored = false, says_errored = false;
  bool masked = false;                      // tofud's own (attachments/masked_plan.hpp)
  std::optional<bool> applyable, complete;  // Terraform's
  std::vector<std::string_view> resource_changes, resource_drift;
  std::vector<std::string_view> action_invocations;  // Terraform's, since 1.14
  std::string_view output_changes, relevant_attributes, variables, planned_values, prior_state,
      configuration, checks;

  /// A plan does not say it. `applyable` is Terraform's alone, since 1.8; before that Terraform had
  /// no `errored`, which OpenTofu has had since its first release (recordings version-*).
  product made_by() const;
};

/// Unknown members are passed over. Another major version than 1 is a failure, and so is a document
/// that is no plan: one of a state says so.
result<document> read(std::string_view text);

/// One part of a plan or state, parsed. `path` is told if it is no JSON.
class part {
 public:
  part();
  /// Nothing if it was parsed; else what is wrong. An empty text gives an empty value.
  std::optional<failure> parse(std::string_view text, std::string_view path);
  json::value root() const { return parsed_ ? parser_.root() : json::value{}; }

 private:
  json::document_parser parser_;
  bool parsed_ = false;
};

}  // namespace tofud::plan
