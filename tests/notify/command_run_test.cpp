#include "daemon/notify/command_run.hpp"

#include "daemon/notify/errors.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <thread>

namespace tofud::notify {
namespace {

using namespace std::chrono_literals;

std::string read(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(CommandRun, GetsTheTextAndOnlyThatEnvironment) {
  const tests::scratch_directory home;
  const std::string out = home.path() + "/out";
  EXPECT_TRUE(run_command({"/bin/sh", "-c", "cat > " + out + "; env | sort >> " + out}, "text\n",
                          {"TOFUD_RULE=x"}, 20s)
                  .empty());
  const std::string text = read(out);
  EXPECT_TRUE(text.starts_with("text\n")) << text;
  EXPECT_NE(text.find("\nTOFUD_RULE=x\n"), text.npos) << text;
  EXPECT_EQ(text.find("HOME="), text.npos) << text;
}

TEST(CommandRun, SaysHowItEnded) {
  EXPECT_TRUE(run_command({"/bin/sh", "-c", "exit 3"}, "", {}, 20s).is(error::command_failed));
  EXPECT_TRUE(run_command({"/nosuch"}, "", {}, 20s).is(error::not_started));
  EXPECT_TRUE(run_command({"/bin/true"}, std::string(1'000'000, 'x'), {}, 20s).empty());
}

TEST(CommandRun, IsKilledWithWhatItStarted) {
  const tests::scratch_directory home;
  const std::string out = home.path() + "/pid";
  EXPECT_TRUE(run_command({"/bin/sh", "-c", "sleep 1000 & echo $! > " + out + "; wait"},
                          std::string(1'000'000, 'x'), {}, 1s)
                  .is(error::command_late));
  const std::string pid = read(out);
  ASSERT_FALSE(pid.empty());
  // A process that was killed dies when it has its turn.
  const auto is_gone = [path = "/proc/" + std::to_string(std::stoi(pid)) + "/stat"] {
    const std::string status = read(path);
    return status.empty() || status.find(") Z ") != status.npos;
  };
  for (int i = 0; i < 1000 && !is_gone(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(is_gone());
}

}  // namespace
}  // namespace tofud::notify
