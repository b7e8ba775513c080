#include "daemon/access/reach.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/access/principal.hpp"
#include "protocol/feed/labels_text.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tofud::access {
namespace {

TEST(Reach, AStarStandsForAnythingButASlashAndAtTheEndForAll) {
  EXPECT_TRUE(fits("net/prod", "net/prod"));
  EXPECT_FALSE(fits("net/prod", "net/prod2"));
  EXPECT_FALSE(fits("net/prod", "net/pro"));
  EXPECT_TRUE(fits("net/*", "net/prod"));
  EXPECT_TRUE(fits("net/*", "net/prod/eu@blue#3f2a1b"));
  EXPECT_TRUE(fits("net/*", "net/"));
  EXPECT_FALSE(fits("net/*", "net"));
  EXPECT_FALSE(fits("net/*", "x/net/prod"));
  EXPECT_TRUE(fits("github.com/acme/net//*", "github.com/acme/net//prod@default"));
  EXPECT_FALSE(fits("github.com/acme/net//*", "github.com/acme/network//prod@default"));
  EXPECT_TRUE(fits("*/prod", "net/prod"));
  EXPECT_FALSE(fits("*/prod", "net/eu/prod"));
  EXPECT_TRUE(fits("a*c/*b/d", "abbc/aab/d"));
  EXPECT_FALSE(fits("a*c/*b/d", "abbc/aab/e"));
  EXPECT_TRUE(fits("*a*b", "xaabab"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("*", "x/y"));
  EXPECT_FALSE(fits("", "x"));
  EXPECT_FALSE(fits("Net/*", "net/prod"));
  EXPECT_FALSE(fits("*b", "ba/b"));
}

TEST(Reach, APatternThatFitsNothingAtGreatLengthIsSoonDone) {
  std::string pattern, stack(limits::stack_pattern_bytes, 'a');
  while (pattern.size() + 2 < limits::stack_pattern_bytes) pattern += "*a";
  EXPECT_FALSE(fits(pattern + "b", stack));
}

TEST(Reach, HoldsStacksAndWhatWasGranted) {
  reach some;
  EXPECT_TRUE(some.is_everything());
  EXPECT_TRUE(some.holds("x", {}));
  EXPECT_TRUE(some.add_stack("net/*").empty());
  EXPECT_TRUE(some.add_stack("dns").empty());
  EXPECT_TRUE(some.add_stack("net/*").empty());
  EXPECT_EQ(some.stacks, (std::vector<std::string>{"dns", "net/*"}));
  EXPECT_TRUE(some.holds("dns"));
  EXPECT_FALSE(some.holds("pay/prod"));
  EXPECT_TRUE(some.holds("net/prod", {}));
  EXPECT_TRUE(some.add_label("team=net").empty());
  EXPECT_FALSE(some.holds("net/prod", {}));
  EXPECT_FALSE(some.holds("net/prod", {{"team", "pay"}}));
  EXPECT_TRUE(some.holds("net/prod", {{"a", "b"}, {"team", "net"}}));
  EXPECT_EQ(to_text(some), "dns, net/* with team=net");
  EXPECT_TRUE(some.add_label("team=pay").empty());
  EXPECT_EQ(some.labels, (std::vector<feed::label>{{"team", "pay"}}));
  reach labelled;
  EXPECT_TRUE(labelled.add_label("team=net").empty());
  EXPECT_EQ(to_text(labelled), "any stack with team=net");
  reach star;
  ASSERT_TRUE(star.add_stack("*").empty() && star.add_stack("net/*").empty());
  EXPECT_TRUE(star.is_everything());
  ASSERT_TRUE(star.add_label("a=b").empty());
  EXPECT_FALSE(star.is_everything());
}

TEST(Reach, RefusesWhatIsNoPatternAndNoLabel) {
  reach none;
  for (const char* wrong : {"", "a b", "a\nb", "\x7f"}) {
    EXPECT_NE(none.add_stack(wrong).text().find("is not a pattern for stacks"), std::string::npos);
  }
  EXPECT_FALSE(none.add_stack(std::string(limits::stack_pattern_bytes + 1, 'a')).empty());
  for (const char* wrong : {"team", "=net", ""}) EXPECT_FALSE(none.add_label(wrong).empty());
  EXPECT_FALSE(none.add_label("a=b\nc=d").empty());
  EXPECT_TRUE(none.is_everything());
  for (std::size_t i = 0; i < limits::stack_patterns; ++i) {
    EXPECT_TRUE(none.add_stack("s" + std::to_string(i)).empty());
  }
  EXPECT_NE(none.add_stack("one-more").text().find("make two tokens"), std::string::npos);
}

TEST(Reach, ADatabaseIsAskedTheSameQuestion) {
  principal by;
  EXPECT_EQ(run_filter_of(by), nullptr);
  reach some;
  ASSERT_TRUE(some.add_stack("net/*").empty());
  by.within = std::make_shared<const reach>(some);
  EXPECT_TRUE(run_filter_of(by)("net/a", ""));
  EXPECT_FALSE(run_filter_of(by)("pay/a", ""));
  ASSERT_TRUE(some.add_label("team=net").empty());
  by.within = std::make_shared<const reach>(some);
  EXPECT_FALSE(run_filter_of(by)("net/a", ""));
  EXPECT_TRUE(run_filter_of(by)("net/a", feed::labels_text({{"team", "net"}, {"a", "b"}})));
}

}  // namespace
}  // namespace tofud::access
