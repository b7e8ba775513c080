// What daemons answer, good and bad.
#include "protocol/upload/answer.hpp"

#include "protocol/upload/limits.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tofud::upload {
namespace {

using namespace std::chrono_literals;

TEST(AnswerText, TheAnswerToAPostIsRead) {
  const auto granted =
      parse_granted(R"({"run":"20261121T0312-7f3a","offset":17,"max_patch":1024,"keepalive_s":5,)"
                    R"("url":"http://127.0.0.1:8638/?run=20261121T0312-7f3a","later":[1]})");
  ASSERT_TRUE(granted);
  EXPECT_EQ(*granted, (granted_run{"20261121T0312-7f3a",
                                   "http://127.0.0.1:8638/?run=20261121T0312-7f3a", 17, 1024, 5s}));
}

TEST(AnswerText, TheForwarderReadsWhatTheDaemonWrites) {
  for (const granted_run& granted :
       {granted_run{"20261121T0312-7f3a", "http://127.0.0.1:8638/?run=a", 17, 1024, 5s},
        granted_run{"a", "", 0, 1, 1s},
        granted_run{"a",
                    "",
                    0,
                    1,
                    1s,
                    {{"a.b[\"k\"]", "a", "create", {60.5, 80, 3, feed::rung::address, true}},
                     {"a.c", "a", "delete", {1, 2, 20, feed::rung::address, false}}}}}) {
    const std::string body = to_json(granted);
    EXPECT_EQ(parse_granted(body), granted) << body;
  }
}

TEST(AnswerText, MissingMembersHaveTheirDefaults) {
  const auto granted = parse_granted(R"({"run":"a","offset":0,"url":null})");
  ASSERT_TRUE(granted);
  EXPECT_EQ(*granted, (granted_run{"a", "", 0, limits::patch_bytes, limits::keep_alive}));
}

TEST(AnswerText, NumbersOutOfRangeAreClamped) {
  const auto granted =
      parse_granted(R"({"run":"a","offset":0,"max_patch":0,"keepalive_s":99999999999999})");
  ASSERT_TRUE(granted);
  EXPECT_EQ(granted->max_patch, 1u);
  EXPECT_EQ(granted->keepalive, limits::keep_alive_longest);
  EXPECT_EQ(parse_granted(R"({"run":"a","offset":0,"max_patch":99999999999})")->max_patch,
            limits::patch_bytes);
}

TEST(AnswerText, AnInvalidAnswerIsRefused) {
  for (const char* body :
       {"", "<html>", "[]", R"({"run":"a"})", R"({"offset":0})", R"({"run":7,"offset":0})",
        R"({"run":"a","offset":-1})", R"({"run":"a","offset":"0"})", R"({"run":"","offset":0})",
        R"({"run":"../x","offset":0})", R"({"run":"..","offset":0})", R"({"run":"a b","offset":0})",
        "{\"run\":\"a\\r\\nX: y\",\"offset\":0}"}) {
    EXPECT_FALSE(parse_granted(body)) << body;
  }
}

TEST(AnswerText, AnAddressWithControlCharactersIsRefused) {
  EXPECT_EQ(parse_granted(R"j({"run":"a","offset":0,"url":"javascript:alert(1)"})j")->url, "");
  EXPECT_EQ(parse_granted(R"j({"run":"a","offset":0,"url":"http://x/\u001b[2J"})j")->url, "");
}

TEST(AnswerText, RetryAfterIsSecondsWithinAnHour) {
  EXPECT_EQ(retry_after_in("7"), 7s);
  EXPECT_EQ(retry_after_in("99999999999999999"), limits::retry_after_longest);
  EXPECT_FALSE(retry_after_in("Sat, 21 Nov 2026 03:12:00 GMT"));
}

TEST(AnswerText, AnErrorOfTheDaemonIsPrintedAsPlainText) {
  constexpr std::string_view error = R"({"code":"x","message":"no \u001b[31mway\n"})";
  EXPECT_EQ(said_by(403, error), " (403: no ?[31mway?)");
  EXPECT_EQ(code_in(error), "x");
  EXPECT_EQ(said_by(403, "<html>"), " (403)");
  EXPECT_EQ(code_in("<html>"), "");
}

TEST(AnswerText, AnyAnswerIsRefusedOrWithinItsBounds) {
  const std::string good =
      R"({"run":"20261121T0312-7f3a","offset":17,"max_patch":1024,"keepalive_s":5,"url":"http://x/"})";
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    std::mt19937 draw{seed};
    std::string body = good;
    for (int changes = 1 + static_cast<int>(draw() % 4); changes > 0; --changes) {
      const std::size_t at = draw() % body.size();
      if (draw() % 2 == 0) {
        body[at] = static_cast<char>(draw());
      } else {
        body.insert(at, body, draw() % body.size(), draw() % 9);
      }
    }
    (void)code_in(body);
    EXPECT_LT(said_by(500, body).size(), limits::told_message_bytes + 20);
    const auto granted = parse_granted(body);
    if (!granted) continue;
    EXPECT_TRUE(granted->run.find_first_of("/ \r\n\0?#") == std::string::npos) << granted->run;
    EXPECT_TRUE(granted->url.empty() || granted->url.starts_with("http")) << granted->url;
    EXPECT_TRUE(granted->max_patch >= 1 && granted->max_patch <= limits::patch_bytes);
    EXPECT_TRUE(granted->keepalive >= 1s && granted->keepalive <= limits::keep_alive_longest);
  }
}

TEST(AnswerText, HasWhatIsUsualOfAsMuchAsThereIsRoomFor) {
  granted_run granted{"a", "", 0, 1, 1s};
  for (std::size_t i = 0; i < 2 * limits::stack_usual_most; ++i)
    granted.usual.push_back({std::string(300, 'x') + std::to_string(i),
                             "t",
                             "create",
                             {1, 2, 3, feed::rung::address, false}});
  const std::string body = to_json(granted);
  EXPECT_LE(body.size(), limits::stack_usual_bytes + 200);
  const auto read = parse_granted(body);
  ASSERT_TRUE(read);
  EXPECT_GT(read->usual.size(), 50U);
  EXPECT_LT(read->usual.size(), limits::stack_usual_most);
}

TEST(AnswerText, WhatSaysNothingUsualIsPassedOver) {
  const auto usual = [](const std::string& list) {
    return parse_granted(R"({"run":"a","offset":0,"usual":)" + list + "}")->usual.size();
  };
  EXPECT_EQ(usual("7"), 0U);
  EXPECT_EQ(usual("[7,{},{\"addr\":\"a.b\"}]"), 0U);
  EXPECT_EQ(usual(R"([{"addr":"a.b","count":1,"p50_s":-1,"p80_s":"x","flaky":7}])"), 1U);
}

}  // namespace
}  // namespace tofud::upload
