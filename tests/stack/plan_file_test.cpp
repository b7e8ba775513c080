#include "daemon/stack/plan_file.hpp"

#include "daemon/stack/limits.hpp"
#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace tofud::stack {
namespace {

TEST(PlanFile, IsNamedByItsHash) {
  const scratch_tree tree;
  tree.file("p", "test");
  const auto found = hash_plan_file(tree.path("p"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sha256, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
  EXPECT_EQ(found->bytes, 4U);
}

TEST(PlanFile, OtherFileHasNoHash) {
  const scratch_tree tree;
  ASSERT_EQ(::mkfifo(tree.path("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(hash_plan_file(tree.path("none")));
  EXPECT_FALSE(hash_plan_file(tree.folder("folder")));
  EXPECT_FALSE(hash_plan_file(tree.path("fifo")));
}

TEST(PlanFile, TooLargeFileHasNoHash) {
  const scratch_tree tree;
  tree.file("p", "");
  std::filesystem::resize_file(tree.path("p"), limits::plan_file_bytes + 1);
  EXPECT_FALSE(hash_plan_file(tree.path("p")));
}

}  // namespace
}  // namespace tofud::stack
