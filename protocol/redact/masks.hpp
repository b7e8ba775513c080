// What stands in the place of a secret.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace tofud::redact {

/// `mask_of`, remembered for what comes again and again.
class masks {
 public:
  explicit masks(std::string salt) : salt_{std::move(salt)} {}

  /// Valid until the next call.
  std::string_view of(std::string_view text);

  /// From now on a mask is its six digits only, never longer than what it stands for; or as before.
  void be_short(bool wanted) { short_ = wanted; }

  /// Whether `text` is such a mask: it is not masked again.
  static bool is_mask(std::string_view text);

 private:
  std::string salt_;
  bool short_ = false;
  std::unordered_map<std::string, std::string> known_;
};

}  // namespace tofud::redact
