#include "protocol/upload/naming_line.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace tofud;
using namespace tofud::upload;

namespace {

TEST(NamingLine, NamesTheRun) {
  const auto read =
      parse_naming_line(R"({"tofud":{"stack":"a","labels":{"pr":"1"},"command":"destroy"}})");
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_TRUE(*read);
  EXPECT_EQ((*read)->stack, "a");
  ASSERT_EQ((*read)->labels.size(), 1U);
  EXPECT_EQ((*read)->command, feed::run_command::destroy);
}

TEST(NamingLine, LinesOfAStreamAreNoNames) {
  for (const char* line :
       {"", "text", "{}", "[\"tofud\"]", R"({"@level":"info","@message":"tofud"})",
        R"({"tofud":1,"other":2})", R"({"tofud": {"stack":"x")", "{\"tofu\":{}}"}) {
    const auto read = parse_naming_line(line);
    ASSERT_TRUE(read) << line;
    EXPECT_FALSE(*read) << line;
  }
}

TEST(NamingLine, AWrongNameIsAnError) {
  const auto wrong = parse_naming_line(R"({"tofud":{"labels":{"a":1}}})");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("label a"), std::string::npos);
  EXPECT_FALSE(parse_naming_line(R"({"tofud":7})"));
}

}  // namespace
