// Browsers that are logged in, and links that log one in: in memory, gone with the daemon.
#pragma once

#include "daemon/access/limits.hpp"
#include "daemon/access/principal.hpp"
#include "daemon/access/session_text.hpp"
#include "daemon/access/token.hpp"

#include <cstdint>
#include <functional>
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

  // ---- where several daemons let the same people in --------------------------------------------

  /// Called with what others are to know: a session or ticket under its hash (see told_session),
  /// and an empty text when it is over.
  using teller = std::function<void(const std::string& hash, std::string text)>;
  void tell(teller others) { tell_ = std::move(others); }
  /// What another daemon told. `permit`: of the token that the session came from; null: it came
  /// from none. What is here already stays as it is.
  void adopt(const std::string& hash, const told_session& one,
             std::shared_ptr<const std::string> permit);
  /// It is over elsewhere.
  void end_of(const std::string& hash);

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
  void open(const std::string& hash, const principal& by,
            std::shared_ptr<const std::string> token_over, time since);
  void say(const std::string& hash, std::string text) const {
    if (tell_) tell_(hash, std::move(text));
  }
  static std::string why_over(const session& one, time now);
  void close(std::map<std::string, session, std::less<>>::iterator which, const std::string& why);

  // By the hash of what the browser has: who could read this memory would still not be logged in,
  // and how long a look takes says nothing about a secret.
  std::map<std::string, session, std::less<>> open_;
  std::map<std::string, ticket, std::less<>> offered_;
  bool any_over_ = false;
  teller tell_;
};

}  // namespace tofud::access
