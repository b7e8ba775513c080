#include "protocol/redact/hider.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tofud::redact {
namespace {

hider hiding(const std::vector<std::string>& values) {
  rules all;
  for (const std::string& each : values) all.secrets.push_back({"plan", each});
  return hider{std::make_shared<const ready_rules>(all, looks_for::values)};
}

TEST(Hider, GivesTheTextItselfIfNothingIsHidden) {
  hider hides = hiding({"hunter22"});
  const std::string text = "nothing of it";
  EXPECT_EQ(hides.text(text).data(), text.data());
  EXPECT_EQ(hides.json(text).data(), text.data());
}

TEST(Hider, ReplacesAValueByAWord) {
  hider hides = hiding({"hunter22", "with \"quotes\""});
  EXPECT_EQ(hides.text("a hunter22, b hunter22"), "a (sensitive value), b (sensitive value)");
  EXPECT_EQ(hides.text(R"j(x = "with \"quotes\"" y)j"), R"j(x = "(sensitive value)" y)j");
  EXPECT_EQ(hides.text("aHVudGVyMjI="), "(sensitive value)");
}

TEST(Hider, FindsWholeValuesOnly) {
  hider hides = hiding({"hunter22"});
  const std::string token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  EXPECT_EQ(hides.text(token), token);
}

TEST(Hider, LeavesJsonWhatItIs) {
  hider hides = hiding({"hunter22", "90210777"});
  EXPECT_EQ(hides.json(R"({"a":"hunter22","n":[90210777,-1.5e3,true,null]})"),
            R"j({"a":"(sensitive value)","n":["(sensitive value)",-1.5e3,true,null]})j");
  EXPECT_EQ(hides.json("90210777"), R"j("(sensitive value)")j");
  EXPECT_EQ(hides.json(R"("\"hunter22\"")"), R"j("\"(sensitive value)\"")j");
}

TEST(Hider, GivesTheNewOffsetOfAPlace) {
  hider hides = hiding({"hunter22"});
  const std::string text = "a hunter22 b";
  const std::string made{hides.text(text)};
  EXPECT_EQ(hides.moved(2), 2U);
  EXPECT_EQ(hides.moved(text.find('b')), made.find('b'));
  EXPECT_EQ(hides.moved(5), made.find(" b"));
  EXPECT_EQ(hides.moved(text.size()), made.size());
}

}  // namespace
}  // namespace tofud::redact
