// Browsers that are logged in, and links that log one in: in memory, gone with the daemon.
#pragma once

#include "daemon/access/limits.hpp"
#include "daemon/access/principal.hpp"
#include "daemon/access/token.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::access {

/// At most limits::sessions and limits::login_links; the oldest goes for a new one. Both end with
/// the token they came from.
class sessions {
 public:
  /// What the cookie holds. A session may what `by` may, but is nobody's owner.
  std::string begin(const principal& by, time now);
  std::shared_ptr<const principal> find(std::string_view cookie, time now) const;
  /// What it opened ends with it. False: there is none.
  bool end(std::string_view cookie);

  /// A ticket that stands for a session, once and for limits::login_link_age. `uid`: only a process
  /// of that user may redeem it, where the kernel says whose it is.
  std::string offer(const principal& by, time now, std::optional<std::uint32_t> uid = {});
  /// The new session's cookie; nothing if there is no such ticket any more, or none for that user.
  std::optional<std::string> redeem(std::string_view offered, time now,
                                    std::optional<std::uint32_t> uid = {});

  /// True if a session has ended since the last call.
  bool refresh(time now);
  std::size_t size() const { return open_.size(); }

 private:
  struct session {
    std::shared_ptr<const principal> holder;
    std::shared_ptr<std::string> over;
    std::shared_ptr<const std::string> token_over;  // may be null
    time since;
  };
  struct ticket {
    principal by;
    time since;
    std::optional<std::uint32_t> uid;
  };
  static std::string why_over(const session& one, time now);
  void close(std::map<std::string, session, std::less<>>::iterator which, const std::string& why);

  // By the hash of what the browser has: who could read this memory would still not be logged in,
  // and how long a look takes says nothing about a secret.
  std::map<std::string, session, std::less<>> open_;
  std::map<std::string, ticket, std::less<>> offered_;
  bool any_over_ = false;
};

}  // namespace tofud::access
