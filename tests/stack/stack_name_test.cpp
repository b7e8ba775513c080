#include "daemon/stack/stack_name.hpp"

#include "tests/stack/scratch_tree.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

class StackName : public testing::Test {
 protected:
  void clone(const std::string& at) {
    tree_.file(at + "/.git/config", "[remote \"origin\"]\n\turl = git@github.com:acme/infra.git\n");
  }
  command_place in(const std::string& directory, const std::string& chdir = "") const {
    return {tree_.folder(directory), chdir, std::nullopt, std::nullopt, "laptop"};
  }

  scratch_tree tree_;
};

TEST_F(StackName, IsRemotePathAndWorkspace) {
  clone("repo");
  EXPECT_EQ(stack_name(in("repo/net/prod")), "github.com/acme/infra//net/prod@default");
  EXPECT_EQ(stack_name(in("repo")), "github.com/acme/infra//.@default");
}

TEST_F(StackName, FollowsChdirAndLinks) {
  clone("repo");
  tree_.folder("repo/net/prod");
  EXPECT_EQ(stack_name(in("repo", "net/prod")), "github.com/acme/infra//net/prod@default");
  std::filesystem::create_directory_symlink(tree_.path("repo/net/prod"), tree_.path("short"));
  EXPECT_EQ(stack_name({tree_.path("short"), "", {}, {}, "laptop"}),
            "github.com/acme/infra//net/prod@default");
}

TEST_F(StackName, OutsideARepositoryIsHostAndDirectory) {
  EXPECT_EQ(stack_name(in("plain")), "laptop:" + tree_.path("plain").string() + "@default");
  tree_.file("local/.git/config", "[core]\n");
  EXPECT_EQ(stack_name(in("local")), "laptop:" + tree_.path("local").string() + "@default");
}

TEST_F(StackName, TheWorkspaceIsTheVariablesElseTheChosenOne) {
  clone("repo");
  tree_.file("repo/a/.terraform/environment", "staging\n");
  EXPECT_EQ(stack_name(in("repo/a")), "github.com/acme/infra//a@staging");
  auto place = in("repo/a");
  place.workspace = "blue";
  EXPECT_EQ(stack_name(place), "github.com/acme/infra//a@blue");
  tree_.file("repo/a/data/environment", "elsewhere");
  place = in("repo/a");
  place.data_dir = "data";
  EXPECT_EQ(stack_name(place), "github.com/acme/infra//a@elsewhere");
}

TEST_F(StackName, TheSameDirectoryWithAnotherStateIsAnother) {
  clone("repo");
  const auto with_key = [&](const std::string& key) {
    tree_.file("repo/a/.terraform/terraform.tfstate",
               R"({"backend":{"type":"s3","config":{"bucket":"b","key":")" + key + "\"}}}");
    return stack_name(in("repo/a"));
  };
  const std::string prod = with_key("prod");
  EXPECT_EQ(prod.find("github.com/acme/infra//a@default#"), 0U);
  EXPECT_NE(prod, with_key("test"));
  EXPECT_EQ(prod, with_key("prod"));
  EXPECT_EQ(backend_type_of(in("repo/a")), "s3");
}

TEST_F(StackName, TerragruntsCacheIsCutOff) {
  clone("repo");
  EXPECT_EQ(stack_name(in("repo/live/vpc/.terragrunt-cache/x1/y2/modules")),
            "github.com/acme/infra//live/vpc@default");
}

TEST_F(StackName, MissingDirectoryHasNone) {
  EXPECT_EQ(stack_name({tree_.path("gone"), "", {}, {}, "laptop"}), "");
}

}  // namespace
}  // namespace tofud::stack
