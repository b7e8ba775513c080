#include "daemon/stack/program.hpp"

#include "daemon/stack/shim.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tofud::stack {
namespace {

namespace fs = std::filesystem;

class Programs : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "programs-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    home_ = pattern;
  }
  void TearDown() override { fs::remove_all(home_); }

  std::string executable(const std::string& path) {
    fs::create_directories((home_ / path).parent_path());
    std::ofstream{home_ / path} << "#!/bin/sh\n";
    fs::permissions(home_ / path, fs::perms::owner_all);
    return (home_ / path).string();
  }
  std::string at(const std::string& path) const { return (home_ / path).string(); }

  fs::path home_;
};

TEST_F(Programs, TheNextProgramIsTheFirstThatIsNotTofud) {
  const std::string ours = executable("ours/tofud");
  fs::create_directories(home_ / "links");
  fs::create_symlink(ours, home_ / "links/tofu");
  const std::string real = executable("real/tofu");
  executable("later/tofu");
  const auto self = identity_of(ours);
  ASSERT_TRUE(self);
  EXPECT_EQ(next_in_path("tofu", at("links") + ":" + at("real") + ":" + at("later"), *self), real);
  EXPECT_EQ(next_in_path("tofu", at("links"), *self), "");
}

TEST_F(Programs, FilesThatCannotBeExecutedAreSkipped) {
  fs::create_directories(home_ / "a/tofu");  // a directory
  fs::create_directories(home_ / "b");
  std::ofstream{home_ / "b/tofu"} << "text";
  const std::string real = executable("c/tofu");
  EXPECT_EQ(next_in_path("tofu", at("a") + ":" + at("b") + ":" + at("none") + ":" + at("c"), {}),
            real);
}

TEST(PathWithout, LeavesTheOthersInTheirOrder) {
  EXPECT_EQ(path_without("/a:/b:/a:/c", "/a"), "/b:/c");
  EXPECT_EQ(path_without("/a", "/a"), "");
  EXPECT_EQ(path_without("/b::/c", "/a"), "/b::/c");
}

TEST_F(Programs, AShimHasALinkForEachName) {
  const auto made = make_shim(at("shim"), "/opt/tofud");
  EXPECT_EQ(made.directory, at("shim"));
  EXPECT_EQ(fs::read_symlink(home_ / "shim/tofu"), "/opt/tofud");
  EXPECT_EQ(fs::read_symlink(home_ / "shim/terraform"), "/opt/tofud");
}

TEST_F(Programs, AShimOfAnOlderTofudLeadsToThisOneAfterwards) {
  make_shim(at("shim"), "/opt/old");
  EXPECT_EQ(make_shim(at("shim"), "/opt/new").failure, "");
  EXPECT_EQ(fs::read_symlink(home_ / "shim/tofu"), "/opt/new");
}

TEST_F(Programs, AShimInADirectoryOthersCanWriteIsRefused) {
  fs::create_directories(home_ / "shim");
  fs::permissions(home_ / "shim", fs::perms::all);
  EXPECT_EQ(make_shim(at("shim"), "/opt/tofud").directory, "");
}

}  // namespace
}  // namespace tofud::stack
