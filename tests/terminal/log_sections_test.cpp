#include "daemon/terminal/log_sections.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tofud::terminal {
namespace {

using feed::run_phase;
using texts = std::vector<std::string>;

class LogSections : public testing::Test {
 protected:
  log_sections in(progress_mode mode) {
    return {mode, [this](std::string_view line) { said.emplace_back(line); }};
  }
  texts said;
};

TEST_F(LogSections, GroupIsClosedBeforeTheNextOneOpens) {
  log_sections sections = in(progress_mode::github);
  sections.enter(run_phase::plan, 1, {});
  sections.enter(run_phase::plan, 1, {});
  sections.enter(run_phase::approval, 1, {});
  sections.enter(run_phase::apply, 1, {});
  sections.enter(run_phase::plan, 2, {});
  sections.leave({});
  sections.leave({});
  EXPECT_EQ(said, (texts{"::group::plan", "::endgroup::", "::group::apply",
                         "::endgroup::", "::group::plan of run 2", "::endgroup::"}));
  EXPECT_FALSE(sections.open());
}

TEST_F(LogSections, SectionEndsUnderTheNameItBeganWith) {
  log_sections sections = in(progress_mode::gitlab);
  sections.enter(run_phase::apply, 3, ui::time_point{std::chrono::seconds{5}});
  sections.leave(ui::time_point{std::chrono::seconds{9}});
  EXPECT_EQ(said, (texts{"\x1b[0Ksection_start:5:tofud_apply_3\r\x1b[0Kapply of run 3",
                         "\x1b[0Ksection_end:9:tofud_apply_3\r\x1b[0K"}));
}

TEST_F(LogSections, OtherModesHaveNone) {
  for (const auto mode : {progress_mode::plain, progress_mode::tty, progress_mode::around}) {
    log_sections sections = in(mode);
    EXPECT_FALSE(sections.wanted());
    sections.enter(run_phase::apply, 1, {});
    sections.leave({});
    EXPECT_FALSE(sections.open());
  }
  EXPECT_EQ(said, texts{});
}

}  // namespace
}  // namespace tofud::terminal
