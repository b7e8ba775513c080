#include "daemon/access/token_store.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/limits.hpp"
#include "daemon/access/secret.hpp"
#include "daemon/access/token_file.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <utility>

namespace tofud::access {
namespace {

std::string end_of(const token& one, time now) {
  if (one.revoked) return "the token was revoked";
  return one.is_expired(now) ? "the token has expired" : "";
}

std::shared_ptr<const principal> holder_of(const token& kept,
                                           std::shared_ptr<const std::string> over) {
  auto holder = std::make_shared<principal>();
  holder->how = principal::known_by::token;
  holder->who = kept.name.empty() ? kept.id : kept.name;
  holder->may = kept.may;
  holder->token_id = kept.id;
  if (!kept.within.is_everything()) holder->within = std::make_shared<const reach>(kept.within);
  holder->permit = std::move(over);
  holder->ends_at = kept.expires_at;
  return holder;
}

}  // namespace

token_store::token_store(std::string path)
    : path_{std::move(path)}, uses_{read_token_uses(use_file_of(path_))} {}

token_store::version token_store::look() const {
  struct stat there {};
  if (::stat(path_.c_str(), &there) != 0) return {};
  // The time of the inode's last change: its mode counts, too.
  return {there.st_dev, there.st_ino, static_cast<std::uint64_t>(there.st_size),
          there.st_ctim.tv_sec, there.st_ctim.tv_nsec};
}

std::shared_ptr<const std::string> token_store::permit_of(std::string_view id) const {
  const auto found = known_.find(id);
  return found == known_.end() ? nullptr : found->second.over;
}

bool token_store::refresh(time now) {
  bool any_over = false;
  // Looked at before it is read: a change meanwhile is seen the next time.
  const auto there = look();
  if (!is_read_ || there != seen_) {
    auto read = read_token_file(path_);
    if (!read && read.error().is(error::unreadable_for_now)) {
      is_read_ = false;
    } else {
      seen_ = there;
      is_read_ = true;
      if (!read)
        complaints_.push_back(read.error().text() + "; no token is valid until it can be read");
      if (read) {
        complaints_.insert(complaints_.end(), read->refused.begin(), read->refused.end());
      }
      any_over = replace(read ? std::move(read->all) : std::vector<token>{}, now);
    }
  }
  for (auto one = known_.begin(); one != known_.end();) {
    const std::string why = end_of(one->second.kept, now);
    if (why.empty()) {
      ++one;
      continue;
    }
    *one->second.over = why;
    any_over = true;
    changes_.push_back({one->second.holder->who, "", why});
    one = known_.erase(one);
  }
  return any_over;
}

bool token_store::replace(std::vector<token> now_there, time now) {
  std::map<std::string, entry, std::less<>> next;
  for (token& each : now_there) {
    const auto before = known_.find(each.id);
    // The same secret, scopes and runs: what it opened stays open.
    if (before != known_.end() && before->second.kept.secret_hash == each.secret_hash &&
        before->second.kept.may == each.may && before->second.kept.within == each.within) {
      auto kept = before->second;
      kept.kept = std::move(each);
      kept.holder = holder_of(kept.kept, kept.over);
      next.insert_or_assign(kept.kept.id, std::move(kept));
    } else if (end_of(each, now).empty()) {
      const std::string id = each.id;
      next.insert_or_assign(id, entry_of(std::move(each)));
    }
  }
  bool any_over = false;
  for (const auto& [id, before] : known_) {
    const auto after = next.find(id);
    if (after != next.end() && after->second.over == before.over) continue;
    const bool is_gone = after == next.end();
    *before.over = is_gone ? "the token is gone" : "the token has changed";
    any_over = true;
    changes_.push_back({before.holder->who, "", *before.over});
  }
  for (const auto& [id, after] : next) {
    const auto before = known_.find(id);
    if (!was_read_ || (before != known_.end() && before->second.over == after.over)) continue;
    changes_.push_back({after.holder->who,
                        to_string(after.kept.may) + " of " + access::to_text(after.kept.within),
                        ""});
  }
  was_read_ = true;
  known_ = std::move(next);
  return any_over;
}

token_store::entry token_store::entry_of(token kept) {
  entry made{std::move(kept), std::make_shared<std::string>(), nullptr};
  made.holder = holder_of(made.kept, made.over);
  return made;
}

std::optional<token_uses> token_store::take_uses() {
  if (!std::exchange(is_used_, false)) return std::nullopt;
  std::erase_if(uses_, [this](const auto& each) { return !known_.contains(each.first); });
  return uses_;
}

std::vector<token> token_store::ending(time now) const {
  std::vector<token> all;
  all.reserve(known_.size());
  for (const auto& [id, each] : known_) all.push_back(each.kept);
  return ending_soon(all, now);
}

std::optional<time> token_store::first_end() const {
  std::optional<time> first;
  for (const auto& [id, each] : known_) {
    const auto& end = each.kept.expires_at;
    if (end && (!first || *end < *first)) first = end;
  }
  return first;
}

bool token_store::any_limited() const {
  return std::any_of(known_.begin(), known_.end(), [](const auto& each) {
    const token& one = each.second.kept;
    return (one.may.read || one.may.raw) && !one.within.is_everything();
  });
}

std::vector<std::string> token_store::take_complaints() { return std::exchange(complaints_, {}); }

std::shared_ptr<const principal> token_store::find(std::string_view text, time now) {
  const auto given = parse_token_text(text);
  if (!given) return nullptr;
  const auto found = known_.find(given->id);
  const std::string hash = text::sha256_hex(given->secret);
  const std::string none(hash.size(), '-');
  const bool fits =
      same_secret(hash, found == known_.end() ? none : found->second.kept.secret_hash);
  if (!fits || !end_of(found->second.kept, now).empty()) return nullptr;
  time& used = uses_[given->id];
  // Who asks every second is not worth a line every second.
  if (now - used >= limits::token_use_told_every) {
    used = now;
    is_used_ = true;
  }
  return found->second.holder;
}

}  // namespace tofud::access
