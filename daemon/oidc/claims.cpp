#include "daemon/oidc/claims.hpp"

#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "protocol/json/document.hpp"
#include "protocol/text/utf8.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tofud::oidc {
namespace {

bool is_seen(std::string_view value) {
  const bool has_control = std::any_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  return !value.empty() && value.size() <= limits::claim_bytes && !has_control &&
         text::valid_utf8(value);
}

class collector {
 public:
  text::failure take_members(json::value object, const std::string& prefix) {
    std::set<std::string_view> names;
    for (const json::value member : object) {
      if (!names.insert(member.key()).second)
        return {error::claim_twice, prefix + std::string{member.key()}};
      const std::string name = prefix + std::string{member.key()};
      // "a.b" beside an "a" that has a "b".
      if (!paths_.insert(name).second) return {error::claim_twice, name};
      if (auto failed = take(member, name); !failed.empty()) return failed;
    }
    return {};
  }
  claims found() { return std::move(found_); }

 private:
  text::failure take(json::value value, const std::string& name) {
    if (++count_ > limits::web_token_claims)
      return {error::too_many_claims, std::to_string(limits::web_token_claims)};
    if (value.is(json::kind::object)) return take_members(value, name + ".");
    if (value.is(json::kind::array)) {
      for (const json::value each : value) {
        if (auto failed = each.is(json::kind::object) ? take_unseen(each) : take(each, name);
            !failed.empty())
          return failed;
      }
      return {};
    }
    if (value.is(json::kind::boolean_true)) add(name, "true");
    if (value.is(json::kind::boolean_false)) add(name, "false");
    if (value.is(json::kind::string) || value.is(json::kind::number)) add(name, value.text());
    return {};
  }
  /// Objects of a list have no names; nothing in them is a claim.
  text::failure take_unseen(json::value object) {
    collector inner;
    auto failed = inner.take_members(object, "");
    count_ += inner.count_;
    return failed;
  }
  void add(const std::string& name, std::string_view value) {
    if (is_seen(value)) found_[name].emplace_back(value);
  }

  claims found_;
  std::set<std::string> paths_;
  std::size_t count_ = 0;
};

}  // namespace

text::result<claims> read_claims(std::string_view json) {
  json::document_parser parser{json::keep_everything};
  if (parser.parse(json) || !parser.root().is(json::kind::object))
    return text::failure{error::bad_claims};
  collector all;
  if (auto failed = all.take_members(parser.root(), ""); !failed.empty()) return failed;
  return all.found();
}

std::optional<std::string_view> one(const claims& of, std::string_view name) {
  const auto found = of.find(name);
  if (found == of.end() || found->second.size() != 1) return std::nullopt;
  return found->second.front();
}

bool has(const claims& of, std::string_view name, std::string_view value) {
  const auto found = of.find(name);
  return found != of.end() &&
         std::find(found->second.begin(), found->second.end(), value) != found->second.end();
}

}  // namespace tofud::oidc
