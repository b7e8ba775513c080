#include "daemon/settings/identity_providers.hpp"

#include "daemon/access/reach.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/settings/table.hpp"
#include "daemon/settings/table_shapes.hpp"

#include <string>
#include <utility>

namespace tofud::settings {
namespace {

text::result<oidc::rule> rule_in(const table& from) {
  oidc::rule made;
  made.name = from.at.path + ":" + std::to_string(from.at.line);
  for (const std::string& each : from.list("claims")) {
    auto read = oidc::read_claim_pattern(each);
    if (!read) return read.error();
    made.claims.push_back(std::move(*read));
  }
  const auto may = access::parse_scopes(from.text("scopes"));
  if (!may) return may.error();
  made.may = *may;
  made.stacks = from.list("stacks");
  access::reach labels;
  for (const std::string& each : from.list("labels"))
    if (auto failed = labels.add_label(each); !failed.empty()) return failed;
  made.labels = std::move(labels.labels);
  if (auto failed = oidc::check_identity(made); !failed.empty()) return failed;
  return made;
}

std::string host_of(const std::string& issuer) {
  const std::string rest = issuer.substr(issuer.find("//") + 2);
  return rest.substr(0, rest.find('/'));
}

}  // namespace

identity_providers identity_providers_in(const settings& from) {
  identity_providers made;
  std::size_t rules = 0, people = 0;
  for (const table& each : from.tables) {
    if (each.of->key != "oidc") continue;
    oidc::provider provider;
    provider.issuer = each.text("issuer");
    provider.audience = each.text("audience");
    provider.ca_file = each.text("ca_file");
    provider.client_id = each.text("client_id");
    provider.client_secret_file = each.text("client_secret_file");
    provider.name = each.has("name") ? each.text("name") : host_of(provider.issuer);
    if (each.has("login_scopes")) provider.login_scopes = each.text("login_scopes");
    people += provider.client_id.empty() ? 0 : 1;
    if (provider.audience.empty() && provider.client_id.empty()) {
      made.failures.push_back(
          {to_string(each.at),
           "[[oidc]] has neither audience, for jobs, nor client_id, for people"});
    }
    if (people > tofud::limits::login_providers) {
      made.failures.push_back(
          {to_string(each.at), "people can log in at " +
                                   std::to_string(tofud::limits::login_providers) +
                                   " providers at most"});
    }
    if (!each.list("algorithms").empty()) provider.algorithms = each.list("algorithms");
    for (const table* inner : each.tables("rules")) {
      auto rule = rule_in(*inner);
      if (!rule) {
        made.failures.push_back({to_string(inner->at), rule.error().text()});
        continue;
      }
      if (++rules == tofud::limits::oidc_rules + 1) {
        made.failures.push_back(
            {to_string(inner->at), "there are more than " +
                                       std::to_string(tofud::limits::oidc_rules) +
                                       " rules; join some of them"});
      }
      if (auto warning = oidc::warning_about(*rule); !warning.empty())
        made.warnings.push_back({to_string(inner->at), std::move(warning)});
      provider.rules.push_back(std::move(*rule));
    }
    if (provider.rules.empty() && made.failures.empty()) {
      made.warnings.push_back(
          {to_string(each.at), "this provider has no [[oidc.rules]], so every token is refused"});
    }
    made.all.push_back(std::move(provider));
  }
  return made;
}

}  // namespace tofud::settings
