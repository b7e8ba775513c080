#include "protocol/json/ranges.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::json {
namespace {

using texts = std::vector<std::string>;

texts members(std::string_view text) {
  texts found;
  const auto all = members_of(text);
  if (!all) return {"none"};
  for (const range& each : *all) found.push_back(each.key + "=" + std::string{each.text});
  return found;
}

texts elements(std::string_view text) {
  texts found;
  const auto all = elements_of(text);
  if (!all) return {"none"};
  for (const range& each : *all) found.emplace_back(each.text);
  return found;
}

TEST(Ranges, AreTheTextsOfTheValues) {
  EXPECT_EQ(members(" { \"a\" : 1 ,\n\"b\":[1,{\"c\":2}] , \"c\":\"x\" } \n"),
            (texts{"a=1", "b=[1,{\"c\":2}]", "c=\"x\""}));
  EXPECT_EQ(elements("[1, \"a,b\" ,[2,3],{\"k\":[]}]"),
            (texts{"1", "\"a,b\"", "[2,3]", "{\"k\":[]}"}));
  EXPECT_EQ(members("{}"), texts{});
  EXPECT_EQ(elements("[ ]"), texts{});
}

TEST(Ranges, QuotesHideBracketsAndEscapesHideQuotes) {
  EXPECT_EQ(elements(R"(["]","\"]","\\"])"), (texts{R"("]")", R"("\"]")", R"("\\")"}));
  EXPECT_EQ(members(R"({"a\"b\u00e9":"}"})"), (texts{"a\"b\xC3\xA9=\"}\""}));
}

TEST(Ranges, OtherTextHasNone) {
  for (const char* text : {"", "1", "[", "[1", "[1,]", "[1]x", "{\"a\":1", "[1]]", "[\"a]", "[,1]"})
    EXPECT_EQ(elements(text), texts{"none"}) << text;
  for (const char* text :
       {"", "[]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{\"a\":1}{}", "{\"\\ud800\":1}"})
    EXPECT_EQ(members(text), texts{"none"}) << text;
}

TEST(Ranges, DepthOfWhatIsInsideDoesNotMatter) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(elements("[" + deep + "]"), texts{deep});
}

}  // namespace
}  // namespace tofud::json
