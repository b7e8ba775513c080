#include "daemon/oidc/provider.hpp"

#include "daemon/client/web_url.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/web_token.hpp"

#include <algorithm>
#include <array>

namespace tofud::oidc {

text::result<std::string> read_issuer(std::string_view text) {
  if (!client::parse_web_url(text, nullptr) || text.find_first_of("?\"\\@") != text.npos)
    return text::failure{error::bad_issuer, text};
  return std::string{text};
}

text::result<std::string> read_algorithm(std::string_view text) {
  if (!is_algorithm(text)) return text::failure{error::bad_algorithm, text};
  return std::string{text};
}

text::result<std::string> read_login_scopes(std::string_view text) {
  const bool is_asked = (" " + std::string{text} + " ").find(" openid ") != std::string::npos;
  if (!is_asked) return text::failure{error::no_openid, text};
  return std::string{text};
}

bool is_github(std::string_view issuer) {
  // An enterprise may have its name behind it.
  constexpr std::string_view own = "https://token.actions.githubusercontent.com";
  return issuer == own || (issuer.starts_with(own) && issuer[own.size()] == '/');
}

std::string warning_about(const rule& by) {
  if (!by.may.ingest) return "";
  constexpr std::array<std::string_view, 4> which{"ref", "environment", "event_name",
                                                  "job_workflow_ref"};
  const bool says_which =
      std::any_of(by.claims.begin(), by.claims.end(), [&](const claim_pattern& each) {
        // Of the providers' subjects the end says which branch or environment it is.
        return std::find(which.begin(), which.end(), each.claim) != which.end() ||
               (each.claim == "sub" && !each.pattern.ends_with('*'));
      });
  if (says_which) return "";
  return "this rule lets jobs of every branch and pull request send; add a claim such as "
         "ref=refs/heads/main or environment=production, if only some may";
}

}  // namespace tofud::oidc
