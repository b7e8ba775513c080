#include "daemon/net/certificate_expiry.hpp"

#include <gtest/gtest.h>

namespace tofud::net {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// 2026-11-21
constexpr time noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + hours{12}};
constexpr hours day{24};

TEST(CertificateExpiry, IsLoggedWhenItIsNearAndWhenItIsOver) {
  EXPECT_EQ(expiry_warning("c.pem", noon + 14 * day, noon), "");
  EXPECT_EQ(expiry_warning("c.pem", noon + 14 * day - seconds{1}, noon),
            "the certificate in c.pem expires on 2026-12-05");
  EXPECT_EQ(expiry_warning("c.pem", noon + seconds{1}, noon),
            "the certificate in c.pem expires on 2026-11-21");
  EXPECT_EQ(expiry_warning("c.pem", noon, noon).find("the certificate in c.pem has expired on "),
            0U);
}

TEST(CertificateExpiry, IsLoggedOnceADayWhenItIsNear) {
  expiry_reminder reminder{noon};
  const time expires = noon + 16 * day;
  int said = 0, looks = 0;
  for (time now = noon; now < expires + day; now += seconds{600}) {
    ++looks;
    said += reminder.look("c.pem", expires, now).empty() ? 0 : 1;
  }
  // Fourteen days before, less the moment at which it begins to be near, and on the day itself.
  EXPECT_EQ(said, 14);
  EXPECT_GT(looks, 2000);
}

TEST(CertificateExpiry, AClockThatWasPutBackRepeatsNothing) {
  expiry_reminder reminder{noon};
  EXPECT_EQ(reminder.look("c.pem", noon, noon - day), "");
  EXPECT_NE(reminder.look("c.pem", noon, noon + day), "");
}

}  // namespace
}  // namespace tofud::net
