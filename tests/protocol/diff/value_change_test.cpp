#include "protocol/diff/value_change.hpp"

#include "protocol/diff/human.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/pairing.hpp"
#include "protocol/diff/value_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
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
  return draw(compute(parsed.between()), text::ink{text::ink::colours::no}, {});
}

std::vector<std::string> pairs(const std::string& before, const std::string& after,
                               const pair_question& alike) {
  std::vector<std::string> found;
  const std::vector<std::uint32_t> old_numbers{before.begin(), before.end()};
  const std::vector<std::uint32_t> fresh_numbers{after.begin(), after.end()};
  pair_elements(old_numbers, fresh_numbers, alike, [&](std::size_t i, std::size_t k) {
    const char old = i < before.size() ? before[i] : '.';
    const char fresh = k < after.size() ? after[k] : '.';
    found.push_back({old, fresh});
  });
  return found;
}

using texts = std::vector<std::string>;

TEST(PairElements, CommonElementsArePairedAndTheOthersRemovedOrAdded) {
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

// The rule in its plainest form: every pair is compared, and the walk goes over the whole table.
std::vector<std::string> pairs_by_rule(const std::string& before, const std::string& after) {
  const auto rows = after.size() + 1;
  std::vector<std::size_t> lengths((before.size() + 1) * rows);
  const auto at = [&](std::size_t i, std::size_t k) -> std::size_t& {
    return lengths[i * rows + k];
  };
  for (std::size_t i = 1; i <= before.size(); ++i) {
    for (std::size_t k = 1; k <= after.size(); ++k) {
      at(i, k) = before[i - 1] == after[k - 1] ? at(i - 1, k - 1) + 1
                                               : std::max(at(i - 1, k), at(i, k - 1));
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> common;
  for (std::size_t i = before.size(), k = after.size(); i > 0 && k > 0;) {
    if (before[i - 1] == after[k - 1])
      common.insert(common.begin(), {--i, --k});
    else if (at(i - 1, k) > at(i, k - 1))
      --i;
    else
      --k;
  }
  std::vector<std::string> found;
  std::size_t i = 0, k = 0;
  for (const auto& [old, fresh] : common) {
    for (; i < old && before[i] != before[old]; ++i) found.push_back({before[i], '.'});
    for (; k < fresh && after[k] != before[old]; ++k) found.push_back({'.', after[k]});
    found.push_back({before[i++], after[k++]});
  }
  for (; i < before.size(); ++i) found.push_back({before[i], '.'});
  for (; k < after.size(); ++k) found.push_back({'.', after[k]});
  return found;
}

TEST(PairElements, AddedElementsDoNotChangeTheCommonOnes) {
  const auto never = [](std::size_t, std::size_t) { return false; };
  // Every list of up to five elements of three kinds, and one kind that is only after.
  std::vector<std::string> all{""};
  for (std::size_t from = 0; from < all.size() && all[from].size() < 5; ++from) {
    for (const char each : {'a', 'b', 'x'}) all.push_back(all[from] + each);
  }
  std::size_t compared = 0;
  for (const std::string& before : all) {
    if (before.find('x') != before.npos) continue;
    for (const std::string& after : all) {
      ASSERT_EQ(pairs(before, after, never), pairs_by_rule(before, after))
          << before << " " << after;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20'000U);
}

TEST(ValueNumbers, AreEqualExactlyForEqualValues) {
  const std::vector<std::string> values{R"(null)",
                                        R"(true)",
                                        R"(false)",
                                        R"(1)",
                                        R"(1.0)",
                                        R"("1")",
                                        R"("")",
                                        R"([])",
                                        R"({})",
                                        R"([1,2])",
                                        R"([12])",
                                        R"(["1","2"])",
                                        R"(["1,2"])",
                                        R"({"a":1})",
                                        R"({"a":null})",
                                        R"({"a":1,"b":2})",
                                        R"({"b":2,"a":1})",
                                        R"({"a":0,"a":1})",
                                        R"([[1],2])",
                                        R"([1,[2]])",
                                        R"("s1:1")",
                                        R"(["s1:1"])",
                                        R"("n")",
                                        R"({"k1:a":1})"};
  value_numbers numbers;
  std::vector<json::document_parser> parsers;
  for (const std::string& text : values) {
    parsers.emplace_back(everything);
    ASSERT_FALSE(parsers.back().parse(text)) << text;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const json::value a = parsers[i].root(), b = parsers[k].root();
      EXPECT_EQ(numbers.of(a) == numbers.of(b), equal(a, b)) << values[i] << " " << values[k];
    }
  }
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

TEST(ValueChange, ATooLargeDifferenceIsNotDrawn) {
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
