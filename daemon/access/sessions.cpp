#include "daemon/access/sessions.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/access/secret.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <utility>

namespace tofud::access {
namespace {

constexpr std::size_t secret_bytes = 32;

/// The oldest of a map of things with a `since`.
template <typename Map>
auto oldest(Map& all) {
  return std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second.since < b.second.since;
  });
}

bool is_over(const std::shared_ptr<const std::string>& permit) {
  return permit && !permit->empty();
}

}  // namespace

void sessions::open(const std::string& hash, const principal& by,
                    std::shared_ptr<const std::string> token_over, time since) {
  if (open_.size() >= limits::sessions) close(oldest(open_), "there are too many sessions");
  session made{nullptr, std::make_shared<std::string>(), std::move(token_over), since};
  auto holder = std::make_shared<principal>(by);
  holder->how = principal::known_by::session;
  holder->is_owner = false;
  holder->permit = made.over;
  made.holder = std::move(holder);
  open_.insert_or_assign(hash, std::move(made));
}

std::string sessions::begin(const principal& by, time now) {
  std::string cookie = random_hex(secret_bytes);
  const std::string hash = text::sha256_hex(cookie);
  open(hash, by, by.permit, now);
  say(hash, to_text({by, now, false}));
  return cookie;
}

void sessions::adopt(const std::string& hash, const told_session& one,
                     std::shared_ptr<const std::string> permit) {
  if (one.is_ticket) {
    ticket told{one.by, one.since, std::nullopt};
    told.by.permit = std::move(permit);
    if (offered_.size() < limits::login_links) offered_.try_emplace(hash, std::move(told));
  } else if (!open_.contains(hash)) {
    open(hash, one.by, std::move(permit), one.since);
  }
}

void sessions::end_of(const std::string& hash) {
  offered_.erase(hash);
  const auto found = open_.find(hash);
  if (found == open_.end()) return;
  *found->second.over = "the session was ended";
  open_.erase(found);
  any_over_ = true;
}

std::string sessions::why_over(const session& one, time now) {
  if (is_over(one.token_over)) return *one.token_over;
  return now - one.since >= limits::session_age ? "the session has expired" : "";
}

void sessions::close(std::map<std::string, session, std::less<>>::iterator which,
                     const std::string& why) {
  *which->second.over = why;
  say(which->first, "");
  open_.erase(which);
  any_over_ = true;
}

std::shared_ptr<const principal> sessions::find(std::string_view cookie, time now) const {
  const auto found = open_.find(text::sha256_hex(cookie));
  if (found == open_.end() || !why_over(found->second, now).empty()) return nullptr;
  return found->second.holder;
}

bool sessions::end(std::string_view cookie) {
  const auto found = open_.find(text::sha256_hex(cookie));
  if (found == open_.end()) return false;
  close(found, "the session was ended");
  return true;
}

std::string sessions::offer(const principal& by, time now, std::optional<std::uint32_t> uid) {
  if (offered_.size() >= limits::login_links) offered_.erase(oldest(offered_));
  std::string made = random_hex(secret_bytes);
  const std::string hash = text::sha256_hex(made);
  offered_.insert_or_assign(hash, ticket{by, now, uid});
  // A user of this machine is known to no other.
  if (!uid) say(hash, to_text({by, now, true}));
  return made;
}

std::optional<std::string> sessions::redeem(std::string_view offered, time now,
                                            std::optional<std::uint32_t> uid) {
  const auto found = offered_.find(text::sha256_hex(offered));
  if (found == offered_.end()) return std::nullopt;
  // It stays, for whom it is for.
  if (uid && found->second.uid && *uid != *found->second.uid) return std::nullopt;
  const auto taken = std::move(found->second);
  say(found->first, "");
  offered_.erase(found);
  if (now - taken.since >= limits::login_link_age || is_over(taken.by.permit)) return std::nullopt;
  return begin(taken.by, now);
}

bool sessions::refresh(time now) {
  for (auto each = open_.begin(); each != open_.end();) {
    const auto one = each++;
    if (const std::string why = why_over(one->second, now); !why.empty()) close(one, why);
  }
  std::erase_if(offered_, [now](const auto& one) {
    return now - one.second.since >= limits::login_link_age || is_over(one.second.by.permit);
  });
  return std::exchange(any_over_, false);
}

}  // namespace tofud::access
