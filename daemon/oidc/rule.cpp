#include "daemon/oidc/rule.hpp"

#include "daemon/oidc/errors.hpp"
#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::oidc {
namespace {

using names = std::array<std::string_view, 4>;

/// Names that providers compare without case; GitHub's, and GitLab's projects.
bool ignores_case(std::string_view claim) {
  constexpr names all{"repository", "repository_owner", "project_path", "namespace_path"};
  return std::find(all.begin(), all.end(), claim) != all.end();
}

/// Not what a holder chooses, nor what says only how a job was started, nor by what: a workflow
/// that is shared may be used by anybody's repository.
bool says_who(std::string_view claim) {
  constexpr std::array<std::string_view, 16> all{"iss",
                                                 "aud",
                                                 "azp",
                                                 "ref",
                                                 "ref_type",
                                                 "ref_protected",
                                                 "ref_path",
                                                 "base_ref",
                                                 "head_ref",
                                                 "workflow",
                                                 "job_workflow_ref",
                                                 "run_id",
                                                 "event_name",
                                                 "environment",
                                                 "runner_environment",
                                                 "actor"};
  return std::find(all.begin(), all.end(), claim) == all.end();
}

/// Literal in a pattern: nothing of it is a star, a brace or leads elsewhere.
bool is_literal(std::string_view value) {
  return !value.empty() && value.find("//") == value.npos && value.find("..") == value.npos &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view{"._/-"}.find(c) != std::string_view::npos;
         });
}

bool is_claim_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view{"{}*\"\\"}.find(c) == std::string_view::npos;
  });
}

/// Calls `literal` and `claim` with the parts of a template; false: braces don't match.
template <class Literal, class Claim>
bool walk(std::string_view pattern, Literal literal, Claim claim) {
  while (!pattern.empty()) {
    const auto open = std::min(pattern.find_first_of("{}"), pattern.size());
    literal(pattern.substr(0, open));
    pattern.remove_prefix(open);
    if (pattern.empty()) return true;
    const auto close = pattern.find('}');
    if (pattern.front() == '}' || close == pattern.npos) return false;
    if (!claim(pattern.substr(1, close - 1))) return false;
    pattern.remove_prefix(close + 1);
  }
  return true;
}

}  // namespace

text::result<claim_pattern> read_claim_pattern(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos || !is_claim_name(text.substr(0, equals)) || equals + 1 == text.size())
    return text::failure{error::bad_claim_pattern, text};
  claim_pattern read{std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}};
  if (read.pattern.find_first_not_of("*/") == read.pattern.npos)
    return text::failure{error::any_claim, text};
  return read;
}

text::result<std::string> read_stack_template(std::string_view text) {
  std::string filled;
  const bool matches = walk(
      text, [&](std::string_view literal) { filled += literal; },
      [&](std::string_view claim) { return (filled += "x", is_claim_name(claim)); });
  access::reach any;
  if (!matches || !any.add_stack(filled).empty())
    return text::failure{error::bad_stack_template, text, "{repository}"};
  return std::string{text};
}

text::failure check_identity(const rule& by) {
  const bool names_one =
      std::any_of(by.claims.begin(), by.claims.end(), [](const claim_pattern& each) {
        return says_who(each.claim) && !each.pattern.starts_with('*');
      });
  return names_one ? text::failure{} : text::failure{error::no_identity};
}

std::optional<claim_pattern> misfit(const rule& by, const claims& said, bool without_case) {
  for (const claim_pattern& each : by.claims) {
    const auto found = said.find(each.claim);
    const bool any_case = without_case && ignores_case(each.claim);
    const std::string pattern = any_case ? text::lower(each.pattern) : each.pattern;
    const bool fits =
        found != said.end() &&
        std::any_of(found->second.begin(), found->second.end(), [&](const std::string& value) {
          return access::fits(pattern, any_case ? text::lower(value) : value);
        });
    if (!fits) return each;
  }
  return std::nullopt;
}

std::optional<access::reach> reach_of(const rule& by, const claims& said, bool without_case) {
  access::reach all;
  for (const std::string& each : by.stacks) {
    std::string filled;
    bool any_case = false;
    const bool is_filled = walk(
        each, [&](std::string_view literal) { filled += literal; },
        [&](std::string_view claim) {
          const auto value = one(said, claim);
          if (!value || !is_literal(*value)) return false;
          filled += *value;
          any_case |= without_case && ignores_case(claim);
          return true;
        });
    // A pattern too many is one that is not reached.
    if (!is_filled || !all.add_stack(filled).empty()) continue;
    all.is_case_sensitive &= !any_case;
  }
  if (all.stacks.empty()) return std::nullopt;
  all.labels = by.labels;
  return all;
}

}  // namespace tofud::oidc
