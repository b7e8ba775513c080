// Any bytes as a token of an identity provider, as claims, and as the keys that one publishes. What
// is read holds to its limits; nothing is signed by keys that nobody has.
#include "daemon/oidc/issuers.hpp"
#include "daemon/oidc/key_set.hpp"
#include "daemon/oidc/limits.hpp"
#include "daemon/oidc/web_token.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const tofud::oidc::claims& all) {
  using namespace tofud;
  for (const auto& [name, values] : all) {
    require(!values.empty());
    for (const std::string& each : values) {
      require(!each.empty() && each.size() <= limits::claim_bytes);
      require(each.find('\n') == each.npos && each.find('\0') == each.npos);
    }
  }
  oidc::rule rule;
  rule.stacks = {"x/{repository}//*", "{sub}"};
  if (const auto within = oidc::reach_of(rule, all, true)) {
    for (const std::string& each : within->stacks) {
      // What a claim brings is no star.
      require(std::string_view{each}.substr(0, each.size() - 1).find('*') == each.npos);
      require(each.find("..") == each.npos);
    }
  }
  oidc::issued_at(all);
  oidc::facts_in(all);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto set = oidc::key_set::read(text);
  if (set) require(set->size() > 0 && set->size() <= limits::provider_keys);
  if (const auto all = oidc::read_claims(text)) check(*all);
  if (const auto read = oidc::read_web_token(text)) {
    require(oidc::looks_like_web_token(text) && !read->algorithm.empty());
    check(read->said);
    static const auto keys = oidc::key_set::read(
        R"({"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})");
    // Of this key one signature is known, which RFC 7515 has printed: it is not among the seeds.
    require(keys->judge(text, *read) != oidc::key_set::verdict::signed_by_one);
  }
  return 0;
}
