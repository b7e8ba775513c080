#include "daemon/stack/group.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tofud::stack {
namespace {

class Group : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "proc-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    proc_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(proc_); }

  std::string of(const std::string& argv) {
    std::filesystem::create_directories(proc_ / "42");
    std::ofstream{proc_ / "42/cmdline", std::ios::binary} << argv;
    return group_of(42, proc_);
  }

  std::filesystem::path proc_;
};

using namespace std::string_literals;

TEST_F(Group, IsTheProgramThatStartsThem) {
  EXPECT_EQ(of("/usr/bin/terragrunt\0run-all\0apply\0"s), "terragrunt-42");
  EXPECT_EQ(of("make\0deploy\0"s), "make-42");
}

TEST_F(Group, IsTheScriptAShellRuns) {
  EXPECT_EQ(of("/bin/bash\0-e\0ci/deploy.sh\0prod\0"s), "deploy.sh-42");
  EXPECT_EQ(of("sh\0-c\0for d in *; do tofu apply; done\0"s), "sh-42");
}

TEST_F(Group, IsTheProgramAboveAShellThatRunsItsCommandLine) {
  std::filesystem::create_directories(proc_ / "7");
  std::filesystem::create_directories(proc_ / "42");
  std::ofstream{proc_ / "42/stat"} << "42 (sh (x) y) S 7 42 7 0 -1";
  const auto below = [&](const std::string& argv) {
    std::ofstream{proc_ / "7/cmdline", std::ios::binary} << argv;
    return of("/bin/sh\0-c\0cd net && tofu apply\0"s);
  };
  EXPECT_EQ(below("/usr/bin/make\0-j2\0"s), "make-7");
  EXPECT_EQ(below("xargs\0-P4\0sh\0"s), "xargs-7");
  EXPECT_EQ(below("/usr/sbin/cron\0-f\0"s), "sh-42");
}

TEST_F(Group, AnInteractiveShellHasNone) {
  EXPECT_EQ(of("-bash\0"s), "");
  EXPECT_EQ(of("bash\0-i\0"s), "");
  EXPECT_EQ(of("zsh\0"s), "");
}

TEST_F(Group, IsNoneOfAProcessThatIsGone) {
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(group_of(43, proc_), "");
}

}  // namespace
}  // namespace tofud::stack
