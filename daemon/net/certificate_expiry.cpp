#include "daemon/net/certificate_expiry.hpp"

#include "daemon/net/limits.hpp"

#include <array>
#include <ctime>

namespace tofud::net {
namespace {

/// `YYYY-MM-DD` (UTC).
std::string day_of(time when) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(when);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

}  // namespace

std::string expiry_warning(const std::string& file, time expires_at, time now) {
  if (expires_at - now >= limits::certificate_soon_over) return "";
  const std::string what = "the certificate in " + file;
  if (expires_at > now) return what + " expires on " + day_of(expires_at);
  return what + " has expired on " + day_of(expires_at) +
         ", so clients refuse it; put a new one there and send SIGHUP";
}

std::string expiry_reminder::look(const std::string& file, time expires_at, time now) {
  if (now - said_ < limits::certificate_warned_every) return "";
  said_ = now;
  return expiry_warning(file, expires_at, now);
}

}  // namespace tofud::net
