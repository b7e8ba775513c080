#include "daemon/configuration/configuration_files.hpp"

#include "protocol/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::configuration {
namespace {

TEST(ConfigurationFiles, OfADirectoryThatIsNotThereAreAProblem) {
  const auto read = read_from_disk("no/such/directory");
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_TRUE(read.problems[0].what.starts_with("can't be read")) << read.problems[0].what;
}

}  // namespace
}  // namespace tofud::configuration
