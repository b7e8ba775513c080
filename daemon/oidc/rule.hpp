// From what a token says to what its holder may.
#pragma once

#include "daemon/access/reach.hpp"
#include "daemon/access/scopes.hpp"
#include "daemon/oidc/claims.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

struct claim_pattern {
  std::string claim, pattern;  // see access::fits
  bool operator==(const claim_pattern&) const = default;
};

/// A value.
struct rule {
  std::string name;                   // for people; such as "oidc.rules 2"
  std::vector<claim_pattern> claims;  // a token fits all of them
  access::scopes may{false, false, false};
  std::vector<std::string> stacks;  // patterns with names of claims in braces
  std::vector<feed::label> labels;  // runs that come with it get them, and only those are seen
  bool operator==(const rule&) const = default;
};

/// CLAIM=PATTERN, split at the first `=`.
text::result<claim_pattern> read_claim_pattern(std::string_view text);
/// What access::reach takes, with `{CLAIM}` in it.
text::result<std::string> read_stack_template(std::string_view text);
/// Whether somebody has to be named for the rule to fit; the failure says that nobody is.
text::failure check_identity(const rule& by);

/// The first claim that does not fit; nothing: the rule fits. `without_case`: of names of
/// repositories and their owners.
std::optional<claim_pattern> misfit(const rule& by, const claims& said, bool without_case);

/// What it gives. Claims enter patterns literally, and only with letters, digits and `._/-`,
/// without `//` and `..`. Nothing: no stack is left.
std::optional<access::reach> reach_of(const rule& by, const claims& said, bool without_case);

}  // namespace tofud::oidc
