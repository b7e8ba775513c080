#include "daemon/terminal/colour.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

namespace tofud::terminal {
namespace {

struct colour_case {
  const char* what;
  colour_flag flag;
  bool to_terminal;
  std::map<std::string, std::string> env;
  bool wanted;
};

void PrintTo(const colour_case& each, std::ostream* out) { *out << each.what; }

class ColourRules : public testing::TestWithParam<colour_case> {};

TEST_P(ColourRules, ATableOfEnvironmentsGivesTheExpectedColours) {
  const auto& [what, flag, to_terminal, env, wanted] = GetParam();
  const auto value = [&env = env](const char* name) {
    const auto found = env.find(name);
    return found == env.end() ? nullptr : found->second.c_str();
  };
  EXPECT_EQ(wants_colour(flag, to_terminal, value), wanted) << what;
}

constexpr auto automatic = colour_flag::automatic;

INSTANTIATE_TEST_SUITE_P(
    InOrder, ColourRules,
    testing::Values(
        colour_case{"a terminal", automatic, true, {{"TERM", "xterm"}}, true},
        colour_case{"no terminal", automatic, false, {{"TERM", "xterm"}}, false},
        colour_case{"a dumb terminal", automatic, true, {{"TERM", "dumb"}}, false},
        colour_case{"NO_COLOR", automatic, true, {{"NO_COLOR", "1"}}, false},
        colour_case{"an empty NO_COLOR", automatic, true, {{"NO_COLOR", ""}}, true},
        colour_case{"FORCE_COLOR", automatic, false, {{"FORCE_COLOR", "1"}}, true},
        colour_case{"FORCE_COLOR=0", automatic, false, {{"FORCE_COLOR", "0"}}, false},
        colour_case{"CLICOLOR_FORCE", automatic, false, {{"CLICOLOR_FORCE", "1"}}, true},
        colour_case{"both", automatic, true, {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, false},
        colour_case{"always", colour_flag::always, false, {{"NO_COLOR", "1"}}, true},
        colour_case{"never", colour_flag::never, true, {{"FORCE_COLOR", "1"}}, false}),
    [](const auto& tried) {
      std::string name;
      for (const char c : std::string{tried.param.what}) name += std::isalnum(c) != 0 ? c : '_';
      return name;
    });

}  // namespace
}  // namespace tofud::terminal
