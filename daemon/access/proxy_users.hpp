// Users that proxies have named, for as long as something that they opened is open.
#pragma once

#include "daemon/access/principal.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tofud::access {

/// What a proxy that is believed said of a user.
struct named_user {
  std::string proxy;  // its address; empty: the Unix socket
  std::string user;
  std::string groups;                        // the header as it came; empty: none
  std::optional<std::uint32_t> proxy_uid{};  // on this machine, where the kernel says so
  auto operator<=>(const named_user&) const = default;
};

/// Remembers what was permitted to whom, so that new rules can end it.
class proxy_users {
 public:
  /// `who` is let in, and may do that for runs `within` reach.
  std::shared_ptr<const principal> holder(named_user who, scopes may, reach within = {});

  /// Ends the permits of those whom `is_let_in` refuses, with what they had within reach, and of
  /// those who were allowed more than `may`. True if any has ended.
  bool review(const std::function<bool(const named_user&, const reach& had)>& is_let_in,
              const scopes& may);
  /// Forgets those of whom nothing is open any more; to be called now and then.
  void tidy();
  std::size_t size() const { return known_.size(); }

 private:
  struct entry {
    scopes may;
    reach within;
    std::weak_ptr<std::string> over;  // their principal::permit
  };
  std::map<named_user, entry> known_;
};

}  // namespace tofud::access
