// Tokens that somebody else issued: an identity provider.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/access/token.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace tofud::access {

/// Whom the gate asks about a bearer token that is none of tofud's.
class issued_tokens {
 public:
  struct judged {
    std::shared_ptr<const principal> holder;  // null: `refusal` says why
    std::string refusal;
    bool passes = false;  // it may be good: whoever can tell can't be asked at the moment
  };

  issued_tokens() = default;
  issued_tokens(const issued_tokens&) = delete;
  issued_tokens& operator=(const issued_tokens&) = delete;
  virtual ~issued_tokens() = default;

  virtual judged judge(std::string_view token, time now) = 0;
  /// Whether anybody may come with such a token.
  virtual bool any() const = 0;
  /// Whether somebody may who reads, and sees some runs only.
  virtual bool any_limited() const = 0;
};

}  // namespace tofud::access
