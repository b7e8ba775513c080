#include "protocol/redact/pattern_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>

namespace tofud::redact {
namespace {

using kind = pattern_search::kind;
using found = std::set<std::tuple<std::size_t, std::size_t, kind, std::uint16_t>>;

found scanned(const pattern_search& search, std::string_view text) {
  found all;
  search.scan(text, [&](kind what, std::size_t begin, std::size_t end, std::uint16_t id) {
    all.emplace(begin, end, what, id);
    return true;
  });
  return all;
}

TEST(PatternSearch, FindsOverlappingAndNestedMatches) {
  const pattern_search search{
      {{"abcd", kind::fixed}, {"bc", kind::fixed}, {"cd", kind::anchor, 7}, {"cdef", kind::open}}};
  EXPECT_EQ(scanned(search, "xabcdef"), (found{{1, 5, kind::fixed, 0},
                                               {2, 4, kind::fixed, 0},
                                               {3, 5, kind::anchor, 7},
                                               {3, 7, kind::open, 0}}));
}

TEST(PatternSearch, ReportsTheLongestMatchOfAKindAtAnEnd) {
  const pattern_search search{{{"aab", kind::fixed}, {"ab", kind::fixed}}};
  EXPECT_EQ(scanned(search, "aab"), (found{{0, 3, kind::fixed, 0}}));
}

TEST(PatternSearch, StopsWhenItsReceiverReturnsFalse) {
  const pattern_search search{{{"ab", kind::fixed}}};
  int hits = 0;
  search.scan("ababab", [&](kind, std::size_t, std::size_t, std::uint16_t) { return ++hits < 2; });
  EXPECT_EQ(hits, 2);
}

TEST(PatternSearch, GivesTheLengthOfACutPatternAtTheEnd) {
  const pattern_search search{{{"hunter22", kind::fixed}, {"terror", kind::anchor, 1}}};
  const auto begun = [&](std::string_view text) {
    return search.scan(text, [](kind, std::size_t, std::size_t, std::uint16_t) { return true; });
  };
  EXPECT_EQ(begun("say hunter2"), 7U);
  EXPECT_EQ(begun("say hunter22"), 0U);
  EXPECT_EQ(begun("say h"), 1U);
  EXPECT_EQ(begun("terro"), 0U);  // only an anchor
}

// Few letters, so that patterns share beginnings and ends.
TEST(PatternSearch, FindsTheSameAsASlowSearch) {
  std::mt19937 chance{7};
  const auto word = [&](std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text.push_back("abc"[chance() % 3]);
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<pattern_search::pattern> patterns;
    for (std::size_t i = 0; i < 1 + chance() % 12; ++i) {
      patterns.push_back({word(2 + chance() % 5), kind::fixed});
    }
    const std::string text = word(60);
    found wanted;
    for (std::size_t end = 1; end <= text.size(); ++end) {
      std::size_t longest = 0;
      for (const auto& each : patterns) {
        if (std::string_view{text}.substr(0, end).ends_with(each.text)) {
          longest = std::max(longest, each.text.size());
        }
      }
      if (longest > 0) wanted.emplace(end - longest, end, kind::fixed, 0);
    }
    EXPECT_EQ(scanned(pattern_search{patterns}, text), wanted);
  }
}

}  // namespace
}  // namespace tofud::redact
