// The tokens that a daemon knows at this moment.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/access/token.hpp"
#include "daemon/access/token_use.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::access {

/// A token that may be used from now on, or not any more.
struct token_change {
  std::string name;      // or its id
  std::string may;       // its scopes and the runs for which they are
  std::string why_over;  // empty: it begins
};

/// Follows a file that others change. What a token has opened shares its `principal::permit`, and
/// learns there that the token is over.
class token_store {
 public:
  explicit token_store(std::string path);

  /// Reads the file again if it is another one than before. True if a token is over since the last
  /// call. A file that can't be read holds no tokens, unless that may pass.
  bool refresh(time now);
  /// What is to be said about the file; each thing once.
  std::vector<std::string> take_complaints();

  /// Tokens that came and went since the last call, but for those of the first look.
  std::vector<token_change> take_changes() { return std::exchange(changes_, {}); }

  /// Nothing if there is no such token, or it is over. Takes as long for a wrong secret as for
  /// none. That it was used is remembered.
  std::shared_ptr<const principal> find(std::string_view text, time now);
  /// When tokens were used last; nothing if none was used since the last call. Of tokens that are
  /// gone nothing is remembered.
  std::optional<token_uses> take_uses();
  /// What its holders share (principal::permit), by the token's id; null: it may not be used.
  std::shared_ptr<const std::string> permit_of(std::string_view id) const;
  /// Tokens that may be used.
  std::size_t size() const { return known_.size(); }
  /// See ending_soon.
  std::vector<token> ending(time now) const;
  /// When the first of all ends; nothing: none does.
  std::optional<time> first_end() const;
  /// Whether one of them reads and reaches some runs only.
  bool any_limited() const;

 private:
  struct entry {
    token kept;
    std::shared_ptr<std::string> over;
    std::shared_ptr<const principal> holder;
  };
  struct version {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const version&) const = default;
  };
  version look() const;
  bool replace(std::vector<token> now_there, time now);
  static entry entry_of(token kept);

  std::string path_;
  version seen_;
  bool is_read_ = false, was_read_ = false;
  std::map<std::string, entry, std::less<>> known_;  // by id; those that may be used
  token_uses uses_;
  bool is_used_ = false;  // since take_uses was called
  std::vector<std::string> complaints_;
  std::vector<token_change> changes_;
};

}  // namespace tofud::access
