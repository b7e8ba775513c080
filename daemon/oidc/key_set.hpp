// The keys that an issuer publishes (JSON Web Key Set, RFC 7517).
#pragma once

#include "daemon/oidc/web_token.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name is cjose's
struct _cjose_jwk_int;  // cjose_jwk_t

namespace tofud::oidc {

class key_set {
 public:
  /// Keys that are not for signatures, or of a kind or size that is not taken (see limits.hpp), are
  /// passed over. The failure: it is no key set, or none is left.
  static text::result<key_set> read(std::string_view document);

  enum class verdict : std::uint8_t {
    signed_by_one,
    wrong,       // the key that it names has not signed this
    no_such_key  // or, of a token that names none, several that could be meant
  };
  /// Whether one of them signed `text`, which `read` is read from.
  verdict judge(std::string_view text, const web_token& read) const;

  std::size_t size() const { return keys_.size(); }

 private:
  struct freed {
    void operator()(_cjose_jwk_int* key) const;
  };
  struct key {
    std::string id;         // empty: it has none
    std::string algorithm;  // what it is for only; empty: all of its kind
    std::string kind;       // "RSA", or the curve: "P-256"
    std::unique_ptr<_cjose_jwk_int, freed> owned;
    bool may_sign_by(std::string_view wanted) const;
  };
  std::vector<key> keys_;
};

}  // namespace tofud::oidc
