#include "daemon/terminal/mode.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <ostream>
#include <string>

namespace tofud::terminal {
namespace {

using variables = std::map<std::string, std::string>;
using flag = progress_flag;
using mode = progress_mode;

struct mode_case {
  const char* what;
  progress_flag given;
  bool to_terminal;
  variables env;
  std::optional<progress_mode> chosen;
};

std::optional<progress_mode> chosen(const mode_case& each) {
  return choose_progress(each.given, each.to_terminal, [&](const char* name) {
    const auto found = each.env.find(name);
    return found == each.env.end() ? nullptr : found->second.c_str();
  });
}

void PrintTo(const mode_case& each, std::ostream* out) { *out << each.what; }

class ProgressRules : public testing::TestWithParam<mode_case> {};

TEST_P(ProgressRules, ATableOfEnvironmentsGivesTheExpectedMode) {
  EXPECT_EQ(chosen(GetParam()), GetParam().chosen);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ProgressRules,
    testing::Values(
        mode_case{"a terminal", flag::automatic, true, {{"TERM", "xterm"}}, mode::tty},
        mode_case{"a terminal without a name", flag::automatic, true, {}, mode::tty},
        mode_case{"no terminal", flag::automatic, false, {{"TERM", "xterm"}}, mode::plain},
        mode_case{"a dumb terminal", flag::automatic, true, {{"TERM", "dumb"}}, mode::plain},
        mode_case{"CI on a terminal", flag::automatic, true, {{"CI", "true"}}, mode::plain},
        mode_case{"an empty CI", flag::automatic, true, {{"CI", ""}}, mode::tty},
        mode_case{"GitHub",
                  flag::automatic,
                  false,
                  {{"CI", "true"}, {"GITHUB_ACTIONS", "true"}},
                  mode::github},
        mode_case{"GitHub on a terminal",
                  flag::automatic,
                  true,
                  {{"CI", "true"}, {"GITHUB_ACTIONS", "true"}},
                  mode::github},
        mode_case{"GitHub unset by hand",
                  flag::automatic,
                  false,
                  {{"CI", "true"}, {"GITHUB_ACTIONS", ""}},
                  mode::plain},
        mode_case{"GitLab",
                  flag::automatic,
                  false,
                  {{"CI", "true"}, {"GITLAB_CI", "true"}},
                  mode::gitlab},
        mode_case{"tty wanted and there", flag::tty, true, {{"CI", "true"}}, mode::tty},
        mode_case{"tty wanted on a dumb terminal", flag::tty, true, {{"TERM", "dumb"}}, mode::tty},
        mode_case{"tty wanted and not there", flag::tty, false, {}, std::nullopt},
        mode_case{"plain beats the terminal", flag::plain, true, {{"TERM", "xterm"}}, mode::plain},
        mode_case{"plain beats GitHub", flag::plain, false, {{"GITHUB_ACTIONS", "1"}}, mode::plain},
        mode_case{"github anywhere", flag::github, true, {}, mode::github},
        mode_case{"gitlab anywhere", flag::gitlab, true, {}, mode::gitlab},
        mode_case{"json", flag::json, true, {}, mode::json},
        mode_case{"none", flag::none, true, {}, mode::none}),
    [](const auto& tried) {
      std::string name;
      for (const char c : std::string{tried.param.what}) name += std::isalnum(c) != 0 ? c : '_';
      return name;
    });

}  // namespace
}  // namespace tofud::terminal
