#include "daemon/oidc/key_set.hpp"

#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/limits.hpp"
#include "protocol/json/members.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cjose/jwk.h>
#include <cjose/jws.h>
#include <utility>

namespace tofud::oidc {
namespace {

namespace bj = boost::json;

/// RFC 7517, 4.2 and 4.3.
bool is_for_signatures(const bj::object& key) {
  const std::string use = json::text_at(key, "use");
  if (!use.empty() && use != "sig") return false;
  const auto* operations = key.if_contains("key_ops");
  const auto* list = operations == nullptr ? nullptr : operations->if_array();
  return list == nullptr || std::any_of(list->begin(), list->end(),
                                        [](const bj::value& each) { return each == "verify"; });
}

struct released {
  void operator()(cjose_jws_t* jws) const { cjose_jws_release(jws); }
};

}  // namespace

void key_set::freed::operator()(_cjose_jwk_int* key) const { cjose_jwk_release(key); }

bool key_set::key::may_sign_by(std::string_view wanted) const {
  if (!algorithm.empty() && algorithm != wanted) return false;
  if (wanted.starts_with("RS") || wanted.starts_with("PS")) return kind == "RSA";
  return (wanted == "ES256" && kind == "P-256") || (wanted == "ES384" && kind == "P-384") ||
         (wanted == "ES512" && kind == "P-521");
}

text::result<key_set> key_set::read(std::string_view document) {
  boost::system::error_code failed;
  const bj::value whole = bj::parse(document, failed);
  const auto* object = failed ? nullptr : whole.if_object();
  const auto* listed = object == nullptr ? nullptr : object->if_contains("keys");
  const auto* list = listed == nullptr ? nullptr : listed->if_array();
  if (list == nullptr) return text::failure{error::bad_key_set};
  key_set made;
  for (const bj::value& each : *list) {
    const auto* members = each.if_object();
    if (members == nullptr || !is_for_signatures(*members)) continue;
    key one{json::text_at(*members, "kid"), json::text_at(*members, "alg"),
            json::text_at(*members, "kty"), nullptr};
    if (one.kind == "EC") one.kind = json::text_at(*members, "crv");
    // A secret one is not published, so what is published is none.
    if (one.kind != "RSA" && !one.kind.starts_with("P-")) continue;
    // Only what the key is: cjose takes no interest in certificates, and refuses some of them.
    bj::object bare;
    bool is_readable = true;
    for (const std::string_view name : {"kty", "crv", "x", "y", "n", "e"}) {
      const auto* member = members->if_contains(name);
      if (member == nullptr) continue;
      bare[name] = *member;
      if (name.size() == 1) is_readable &= is_base64url(json::text_at(*members, name));
    }
    if (!is_readable) continue;
    const std::string text = bj::serialize(bare);
    cjose_err why{};
    one.owned.reset(cjose_jwk_import(text.data(), text.size(), &why));
    if (!one.owned) continue;
    const std::size_t bits = cjose_jwk_get_keysize(one.owned.get(), &why);
    if (one.kind == "RSA" && (bits < limits::rsa_bits_least || bits > limits::rsa_bits_most))
      continue;
    made.keys_.push_back(std::move(one));
    if (made.keys_.size() == limits::provider_keys) break;
  }
  if (made.keys_.empty()) return text::failure{error::no_usable_key};
  return made;
}

key_set::verdict key_set::judge(std::string_view text, const web_token& read) const {
  const key* meant = nullptr;
  for (const key& each : keys_) {
    if (!each.may_sign_by(read.algorithm) || (!read.key_id.empty() && each.id != read.key_id))
      continue;
    if (meant != nullptr && read.key_id.empty()) return verdict::no_such_key;
    if (meant == nullptr) meant = &each;
  }
  if (meant == nullptr) return verdict::no_such_key;
  cjose_err why{};
  const std::unique_ptr<cjose_jws_t, released> signed_text{
      cjose_jws_import(text.data(), text.size(), &why)};
  const bool good = signed_text && cjose_jws_verify(signed_text.get(), meant->owned.get(), &why);
  return good ? verdict::signed_by_one : verdict::wrong;
}

}  // namespace tofud::oidc
