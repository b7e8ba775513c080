#include "protocol/diff/value_change.hpp"

#include "protocol/diff/human.hpp"
#include "protocol/diff/pairing.hpp"
#include "protocol/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::diff {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

// The two values, and what is said of them, as members of one document.
class documents {
 public:
  explicit documents(const std::string& text) : text_{text} { parser_.parse(text_); }
  sides between() const {
    const json::value all = parser_.root();
    return {all["before"], all["after"], all["unknown"], all["before_sensitive"],
            all["after_sensitive"]};
  }

 private:
  std::string text_;
  json::document_parser parser_{everything};
};

std::string drawn(const std::string& text) {
  const documents parsed{text};
  return draw(compute(parsed.between()), render::ink{render::ink::colours::no}, {});
}

std::vector<std::string> pairs(const std::string& before, const std::string& after,
                               const pair_question& alike) {
  std::vector<std::string> found;
  pair_elements(
      before.size(), after.size(),
      [&](std::size_t i, std::size_t k) { return before[i] == after[k]; }, alike,
      [&](std::size_t i, std::size_t k) {
        const char old = i < before.size() ? before[i] : '.';
        const char fresh = k < after.size() ? after[k] : '.';
        found.push_back({old, fresh});
      });
  return found;
}

using texts = std::vector<std::string>;

TEST(PairElements, WhatIsCommonIsPairedTheRestIsRemovedOrAdded) {
  const auto never = [](std::size_t, std::size_t) { return false; };
  EXPECT_EQ(pairs("abcd", "xbdy", never), (texts{"a.", ".x", "bb", "c.", "dd", ".y"}));
  EXPECT_EQ(pairs("", "ab", never), (texts{".a", ".b"}));
  EXPECT_EQ(pairs("", "", never), texts{});
}

TEST(PairElements, AlikeOnesBetweenCommonOnesArePairs) {
  const auto always = [](std::size_t, std::size_t) { return true; };
  EXPECT_EQ(pairs("abc", "axc", always), (texts{"aa", "bx", "cc"}));
  EXPECT_EQ(pairs("ab", "xyz", always), (texts{"ax", "by", ".z"}));
}

TEST(ValueChange, ASideThatIsNullAtTheTopIsAbsent) {
  EXPECT_EQ(drawn(R"({"before":null,"after":5})"), "5");
  EXPECT_EQ(drawn(R"({"before":"x","after":null})"), "\"x\" -> null");
  EXPECT_EQ(drawn(R"({"before":null,"after":null})"), "null");
}

TEST(ValueChange, NumbersAreComparedByTheirText) {
  EXPECT_EQ(drawn(R"({"before":1.0,"after":1})"), "1.0 -> 1");
  EXPECT_EQ(drawn(R"({"before":12345678901234567890.10,"after":12345678901234567890.10})"),
            "12345678901234567890.10");
}

TEST(ValueChange, AnotherTypeIsShownAsBothValues) {
  EXPECT_EQ(drawn(R"({"before":[1],"after":true})"), "[\n      - 1,\n    ] -> true");
}

TEST(ValueChange, OrderOfMembersDoesNotMatterButTheirKeysAreSorted) {
  EXPECT_EQ(drawn(R"({"before":{"b":1,"a":2},"after":{"a":2,"b":1}})"),
            "{\n        # (2 unchanged attributes hidden)\n    }");
  EXPECT_EQ(drawn(R"({"before":{},"after":{"b":1,"a b":2}})"),
            "{\n      + \"a b\" = 2\n      + b     = 1\n    }");
}

TEST(ValueChange, UnknownAndSensitiveValuesAreNotShown) {
  EXPECT_EQ(drawn(R"({"before":{"p":"old"},"after":{},"unknown":{"p":true}})"),
            "{\n      ~ p = \"old\" -> (known after apply)\n    }");
  EXPECT_EQ(drawn(R"({"before":"a","after":"b","before_sensitive":true})"), "(sensitive value)");
}

TEST(ValueChange, JsonInAStringIsComparedAsJson) {
  EXPECT_EQ(drawn(R"({"before":"{\"a\":1}","after":"{\"a\":2}"})"),
            "jsonencode(\n      ~ {\n          ~ a = 1 -> 2\n        }\n    )");
  EXPECT_EQ(drawn(R"({"before":"[1]","after":"[ 1 ]"})"),
            "jsonencode( # whitespace changes\n        [\n            1,\n        ]\n    )");
}

TEST(ValueChange, WhatIsTooMuchIsNotWorthDrawing) {
  const auto worth = [](const std::string& before) {
    const documents parsed{R"({"after":1,"before":)" + before + "}"};
    return worth_drawing(parsed.between());
  };
  const auto list = [](std::size_t elements) {
    std::string text = "[1";
    for (std::size_t i = 1; i < elements; ++i) text += ",1";
    return text + "]";
  };
  EXPECT_TRUE(worth(list(limits::difference_elements)));
  EXPECT_FALSE(worth(list(limits::difference_elements + 1)));
  EXPECT_FALSE(worth("\"" + std::string(limits::difference_bytes, 'x') + "\""));
  std::string lines = "\"";
  for (std::size_t i = 0; i <= limits::difference_elements; ++i) lines += "\\n";
  EXPECT_FALSE(worth(lines + "\""));
}

}  // namespace
}  // namespace tofud::diff
