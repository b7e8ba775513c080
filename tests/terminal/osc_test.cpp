#include "daemon/terminal/osc.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tofud::terminal {
namespace {

TEST(OscProgress, IsUnknownWhilePlanningThenAPercentageThenGone) {
  feed::run_view run;
  EXPECT_EQ(sequence(progress_of(run)), "\x1b]9;4;3;0\x1b\\");
  run.progress.total = 41;
  EXPECT_EQ(sequence(progress_of(run)), "\x1b]9;4;3;0\x1b\\");
  run.phase = feed::run_phase::apply;
  run.progress.done = 12;
  EXPECT_EQ(sequence(progress_of(run)), "\x1b]9;4;1;29\x1b\\");
  EXPECT_EQ(sequence({}), "\x1b]9;4;0\x1b\\");
}

TEST(OscProgress, ShowsAFailure) {
  feed::run_view run;
  run.phase = feed::run_phase::apply;
  run.progress.total = 4;
  run.progress.done = 1;
  run.counts[static_cast<std::size_t>(feed::resource_status::failed)] = 1;
  EXPECT_EQ(sequence(progress_of(run)), "\x1b]9;4;2;25\x1b\\");
}

TEST(OscProgress, PausesDuringAPrompt) {
  feed::run_view run;
  run.phase = feed::run_phase::approval;
  EXPECT_EQ(sequence(progress_of(run)), "\x1b]9;4;4;0\x1b\\");
}

TEST(Osc, IsWrittenOnlyToTerminalsThatSupportIt) {
  const auto takes = [](const std::map<std::string, std::string>& variables) {
    const environment env = [&](const char* name) {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    };
    return std::to_string(takes_osc_progress(env)) + std::to_string(takes_links(env));
  };
  EXPECT_EQ(takes({{"TERM", "xterm-256color"}}), "11");
  EXPECT_EQ(takes({{"TERM", "linux"}}), "00");
  EXPECT_EQ(takes({{"TERM", "dumb"}}), "00");
  EXPECT_EQ(takes({{"TERM", "rxvt-unicode"}}), "01");
  EXPECT_EQ(takes({{"TERM_PROGRAM", "iTerm.app"}}), "01");
  EXPECT_EQ(takes({{"LC_TERMINAL", "iTerm2"}}), "01");
}

TEST(Link, HasItsUrlAsText) {
  EXPECT_EQ(link("http://x/", "http://x/"), "\x1b]8;;http://x/\x1b\\http://x/\x1b]8;;\x1b\\");
}

}  // namespace
}  // namespace tofud::terminal
