#include "protocol/feed/request.hpp"

#include "protocol/feed/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::feed {
namespace {

stream_request asked(std::string_view query) { return parse_stream_request(query).value(); }

bad_request refused(std::string_view query) {
  const auto result = parse_stream_request(query);
  if (result) return {"", "not refused"};
  return result.error();
}

row_facts resource(std::string_view addr, std::string_view module, std::string_view type) {
  return {row_kind::resource, addr, module, type};
}

TEST(StreamRequest, EmptyQueryAsksForTheWallWithEveryKindButLogAndText) {
  const stream_request request = asked("");
  EXPECT_EQ(request.run, "");
  EXPECT_EQ(request.since_as, since_given::no);
  EXPECT_FALSE(request.end_close);
  EXPECT_TRUE(request.wanted.wants(row_kind::run));
  EXPECT_TRUE(request.wanted.wants(row_kind::forecast));
  EXPECT_TRUE(request.wanted.wants(row_kind::resource));
  EXPECT_FALSE(request.wanted.wants(row_kind::log));
  EXPECT_FALSE(request.wanted.wants(row_kind::text));
}

TEST(StreamRequest, HasWhatWasRequested) {
  const stream_request request =
      asked("run=20261121T0312-7f3a&addr=a.*&addr=b&module=m&type=t&since=k7Q2fT:901&end=close");
  EXPECT_EQ(request.run, "20261121T0312-7f3a");
  EXPECT_EQ(request.wanted, (filter{default_kinds(), {"a.*", "b"}, {"m"}, {"t"}}));
  EXPECT_EQ(request.since_as, since_given::parsed);
  EXPECT_EQ(request.since, (position{"k7Q2fT", 901}));
  EXPECT_TRUE(request.end_close);
}

TEST(StreamRequest, KindsAreSeparatedByCommasOrRepeated) {
  std::bitset<row_kinds> expected;
  for (const row_kind kind : {row_kind::log, row_kind::text, row_kind::run})
    expected.set(static_cast<std::size_t>(kind));
  EXPECT_EQ(asked("kinds=log,text&kinds=run").wanted.kinds, expected);
  EXPECT_EQ(asked("kinds=log%2Ctext,run").wanted.kinds, expected);
}

TEST(StreamRequest, EscapesAreDecodedInNamesAndValuesAndAPlusStays) {
  EXPECT_EQ(asked("addr=a%5b%22x+y%22%5D").wanted.addr, std::vector<std::string>{"a[\"x+y\"]"});
  EXPECT_EQ(asked("%61ddr=%26%3D%25").wanted.addr, std::vector<std::string>{"&=%"});
  EXPECT_EQ(asked("addr=a=b").wanted.addr, std::vector<std::string>{"a=b"});
}

TEST(StreamRequest, BadEscapeIsRefusedByName) {
  for (const char* const bad : {"addr=%", "addr=a%4", "addr=%zz", "addr=%4g&x", "addr=%-1"})
    EXPECT_EQ(refused(bad).field, "addr") << bad;
  EXPECT_EQ(refused("ad%dr=x").field, "ad%dr");
}

TEST(StreamRequest, EmptyPairsAreSkipped) { EXPECT_EQ(asked("&&run=a&").run, "a"); }

TEST(StreamRequest, EmptyModuleIsTheRootModule) {
  const filter wanted = asked("module=").wanted;
  EXPECT_TRUE(wanted.passes(resource("a.b", "", "a")));
  EXPECT_FALSE(wanted.passes(resource("module.m.a.b", "module.m", "a")));
  EXPECT_EQ(asked("module").wanted.module, std::vector<std::string>{""});
}

TEST(StreamRequest, OtherEmptyValuesAreRefused) {
  for (const char* const name : {"run", "addr", "type", "kinds", "end"})
    EXPECT_EQ(refused(std::string{name} + "=").field, name);
  EXPECT_EQ(refused("kinds=log,,text").field, "kinds");
}

TEST(StreamRequest, ARepeatedParameterIsRefused) {
  EXPECT_EQ(refused("run=a&run=a").field, "run");
  EXPECT_EQ(refused("since=a:1&since=a:2").field, "since");
  EXPECT_EQ(refused("end=close&end=close").field, "end");
}

TEST(StreamRequest, EndCanOnlyBeClose) { EXPECT_EQ(refused("end=open").field, "end"); }

TEST(StreamRequest, UnknownParameterIsRefusedWithTheNearestKnownOne) {
  const bad_request no = refused("kind=log");
  EXPECT_EQ(no.field, "kind");
  EXPECT_EQ(no.message, "unknown parameter \"kind\"; did you mean \"kinds\"?");
  EXPECT_NE(refused("adr=x").message.find("did you mean \"addr\"?"), std::string::npos);
  EXPECT_EQ(
      refused("status=failed").message,
      "unknown parameter \"status\"; known are run, kinds, addr, module, type, since, end, at");
}

TEST(StreamRequest, UnknownKindIsRefusedWithTheNearestKnownOne) {
  const bad_request no = refused("kinds=run,resorce");
  EXPECT_EQ(no.field, "kinds");
  EXPECT_EQ(no.message, "there is no kind \"resorce\"; did you mean \"resource\"?");
  EXPECT_EQ(refused("kinds=hello").field, "kinds");
}

TEST(StreamRequest, LongNamesAreCutInTheSentence) {
  EXPECT_LT(refused(std::string(10'000, 'x') + "=1").message.size(), 200U);
}

TEST(StreamRequest, TheNumberOfFilterValuesIsBounded) {
  std::string query = "kinds=run,resource";
  for (std::size_t i = 2; i < limits::filter_values; ++i) query += "&addr=a" + std::to_string(i);
  EXPECT_EQ(asked(query).wanted.addr.size(), limits::filter_values - 2);
  EXPECT_EQ(refused(query + "&type=t").field, "type");
  EXPECT_EQ(refused(query + "&kinds=log").field, "kinds");
}

TEST(StreamRequest, AnUnparsableSinceIsMarkedAndNoError) {
  for (const char* const text : {"since=", "since=:1", "since=a", "since=a:", "since=a:-1",
                                 "since=a:1x", "since=a:99999999999999999999", "since=a:1:2"})
    EXPECT_EQ(asked(text).since_as, since_given::unparsable) << text;
}

TEST(StreamRequest, RefusedValueThrowsWhatWasWrong) {
  EXPECT_THROW((void)parse_stream_request("x=1").value(), std::invalid_argument);
}

TEST(Position, IsAnEpochAndANumber) {
  EXPECT_EQ(parse_position("k7:0"), (position{"k7", 0}));
  EXPECT_EQ(parse_position("k7:18446744073709551615"), (position{"k7", ~sequence{0}}));
  EXPECT_EQ(parse_position("k7"), std::nullopt);
}

TEST(Glob, StarStandsForAnyTextAndNothingElseIsSpecial) {
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a*", "a"));
  EXPECT_TRUE(glob_matches("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(glob_matches("*ab", "aab"));
  EXPECT_TRUE(glob_matches("a*b*c", "abbcbc"));
  EXPECT_TRUE(glob_matches("module.*.aws_vpc.main", "module.a.module.b.aws_vpc.main"));
  EXPECT_TRUE(glob_matches("a[\"?\"]", "a[\"?\"]"));
  EXPECT_FALSE(glob_matches("a?", "ab"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("A", "a"));
  EXPECT_FALSE(glob_matches("a*b", "abc"));
  EXPECT_FALSE(glob_matches("*ab*ab", "xab"));
}

TEST(Glob, MatchesWhatTheTextbookRecursionMatches) {
  struct textbook {
    static bool matches(std::string_view p, std::string_view t) {
      if (p.empty()) return t.empty();
      if (p[0] == '*') return matches(p.substr(1), t) || (!t.empty() && matches(p, t.substr(1)));
      return !t.empty() && p[0] == t[0] && matches(p.substr(1), t.substr(1));
    }
  };
  const std::string_view letters = "ab*";
  for (int p = 0; p < 243; ++p) {
    for (int t = 0; t < 64; ++t) {
      std::string pattern, text;
      for (int i = 0, rest = p; i < 5; ++i, rest /= 3) pattern += letters[rest % 3];
      for (int i = 0, rest = t; i < 6; ++i, rest /= 2) text += letters[rest % 2];
      EXPECT_EQ(glob_matches(pattern, text), textbook::matches(pattern, text)) << pattern << text;
    }
  }
}

TEST(Filter, ValuesOfOneFieldAreOrAndFieldsAreAnd) {
  const filter wanted = asked("addr=a.*&addr=b.*&type=t1&type=t2").wanted;
  EXPECT_TRUE(wanted.passes(resource("a.x", "", "t1")));
  EXPECT_TRUE(wanted.passes(resource("b.x", "", "t2")));
  EXPECT_FALSE(wanted.passes(resource("c.x", "", "t1")));
  EXPECT_FALSE(wanted.passes(resource("a.x", "", "t3")));
}

TEST(Filter, KindsHoldForAllAndTheOthersForRowsWithAnAddress) {
  const filter wanted = asked("kinds=resource,output&addr=a&module=m*&type=t").wanted;
  EXPECT_TRUE(wanted.passes({row_kind::output, {}, {}, {}}));
  EXPECT_FALSE(wanted.passes({row_kind::diagnostic, {}, {}, {}}));
  EXPECT_TRUE(wanted.passes(resource("a", "m1", "t")));
  EXPECT_FALSE(wanted.passes(resource("a", "n1", "t")));
}

}  // namespace
}  // namespace tofud::feed
