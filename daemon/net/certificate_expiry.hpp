// What is said about a certificate that is soon over, and how often.
#pragma once

#include "daemon/net/limits.hpp"

#include <chrono>
#include <string>

namespace tofud::net {

using time = std::chrono::sys_seconds;

/// Of the certificate in `file`: a sentence if it is over at `now` or within
/// limits::certificate_soon_over, else "".
std::string expiry_warning(const std::string& file, time expires_at, time now);

/// Says it again every limits::certificate_warned_every, as long as nothing is done about it.
class expiry_reminder {
 public:
  /// `said`: when it was last looked at.
  explicit expiry_reminder(time said) : said_{said} {}
  /// expiry_warning if it is time again, else "".
  std::string look(const std::string& file, time expires_at, time now);

 private:
  time said_;
};

}  // namespace tofud::net
