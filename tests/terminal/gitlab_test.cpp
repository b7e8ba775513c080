#include "daemon/terminal/gitlab.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal::gitlab {
namespace {

TEST(GitlabSection, HasMarkersWithTimesOfTheStream) {
  const auto at = ui::parse_timestamp("2026-11-21T03:12:00.5Z").value();
  EXPECT_EQ(section_start("tofud_plan_1", "plan", at),
            "\x1b[0Ksection_start:1795230720:tofud_plan_1\r\x1b[0Kplan");
  EXPECT_EQ(section_end("tofud_plan_1", at), "\x1b[0Ksection_end:1795230720:tofud_plan_1\r\x1b[0K");
  EXPECT_EQ(section_end("x", std::nullopt), "\x1b[0Ksection_end:0:x\r\x1b[0K");
}

}  // namespace
}  // namespace tofud::terminal::gitlab
