#include "daemon/stack/state_place.hpp"

#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

class StatePlace : public testing::Test {
 protected:
  command_place here() const { return {tree_.folder("net"), "", {}, {}, "laptop"}; }

  scratch_tree tree_;
};

TEST_F(StatePlace, IsAFileOfTheWorkspace) {
  EXPECT_EQ(state_place_of(here()).file, "terraform.tfstate");
  EXPECT_EQ(state_place_of(here()).backend, "");
  tree_.file("net/.terraform/environment", "blue\n");
  EXPECT_EQ(state_place_of(here()).file, "terraform.tfstate.d/blue/terraform.tfstate");
}

TEST_F(StatePlace, WithABackendItIsNotLocal) {
  tree_.file("net/.terraform/terraform.tfstate",
             R"({"backend":{"type":"s3","config":{"bucket":"b","key":"k"}}})");
  EXPECT_EQ(state_place_of(here()).backend, "s3");
}

TEST_F(StatePlace, IsElsewhereWithAFileOfAnotherName) {
  tree_.file("net/.terraform/terraform.tfstate",
             R"({"backend":{"type":"local","config":{"path":"other.tfstate"}}})");
  EXPECT_EQ(state_place_of(here()).backend, "local");
  tree_.file("net/.terraform/terraform.tfstate", R"({"backend":{"type":"local","config":{}}})");
  EXPECT_EQ(state_place_of(here()).backend, "");
}

TEST(LockFile, StandsBesideTheState) {
  EXPECT_EQ(lock_file_of("terraform.tfstate"), ".terraform.tfstate.lock.info");
  EXPECT_EQ(lock_file_of("a/b.tfstate"), "a/.b.tfstate.lock.info");
}

}  // namespace
}  // namespace tofud::stack
