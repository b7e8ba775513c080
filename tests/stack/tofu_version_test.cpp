#include "daemon/stack/tofu_version.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

TEST(TofuVersion, IsInTheFirstLineThatNamesAProgram) {
  const auto found = parse_version("OpenTofu v1.12.6\non linux_amd64\n+ provider …\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "OpenTofu 1.12.6");
  EXPECT_EQ(found->made, product::opentofu);
  EXPECT_TRUE(found->at_least(1, 12));
  EXPECT_FALSE(found->at_least(1, 13));
  EXPECT_TRUE(found->at_least(0, 99));
}

TEST(TofuVersion, TerraformIsRecognized) {
  const auto found = parse_version("Terraform v1.9.8\r\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->made, product::terraform);
  EXPECT_EQ(found->text, "1.9.8");
}

TEST(TofuVersion, WarningsBeforeItAreSkipped) {
  EXPECT_EQ(parse_version("warning: using .opentofu-version\nOpenTofu v1.13.0-dev")->text,
            "1.13.0-dev");
}

TEST(TofuVersion, OtherProgramHasNone) {
  for (const char* printed : {"", "\n\n", "v1.2.3", "OpenTofu", "OpenTofu v", "OpenTofu vx.y",
                              "OpenTofu v1", "GNU Make 4.3"}) {
    EXPECT_FALSE(parse_version(printed)) << printed;
  }
}

TEST(TofuVersion, MissingProgramHasNone) {
  EXPECT_FALSE(ask_version("/nothing/here", ""));
  EXPECT_FALSE(ask_version("/bin/true", ""));
}

}  // namespace
}  // namespace tofud::stack
