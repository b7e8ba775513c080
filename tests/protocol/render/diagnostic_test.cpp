#include "protocol/render/diagnostic.hpp"

#include "protocol/feed/diagnostic.hpp"
#include "protocol/limits.hpp"
#include "protocol/ui/parse_message.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace tofud::render {
namespace {

// Draws the diagnostic of a line of the stream; "" if there is none.
std::string drawn(const std::string& line, const diagnostic_drawing& wanted = {}) {
  ui::message_parser parser{ui::differences::keep};
  const auto& parsed = parser.parse(line);
  const auto* found = std::get_if<ui::diagnostic>(&parsed.body);
  if (!parsed.head || found == nullptr) return "";
  return draw(feed::to_row(*parsed.head, *found), wanted, found->difference);
}

struct golden_case {
  std::string line, human, human_color;
};

std::vector<golden_case> golden() {
  std::ifstream file{GOLDEN_DIAGNOSTICS};
  std::vector<golden_case> cases;
  for (std::string line; std::getline(file, line);) {
    const boost::json::value both = boost::json::parse(line);
    const auto text = [&](const char* name) {
      return std::string{std::string_view{both.at(name).as_string()}};
    };
    cases.push_back(
        {boost::json::serialize(both.at("message")), text("human"), text("human_color")});
  }
  return cases;
}

TEST(Diagnostic, IsDrawnAsOpenTofuDrewIt) {
  const auto cases = golden();
  ASSERT_GT(cases.size(), 70U);
  for (const golden_case& each : cases) {
    EXPECT_EQ(drawn(each.line), each.human) << each.line;
    EXPECT_EQ(drawn(each.line, {.colours = ink::colours::yes}), each.human_color) << each.line;
  }
}

}  // namespace
}  // namespace tofud::render
