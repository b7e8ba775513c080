#include "protocol/events/event.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace tofud::events {
namespace {

std::string failure_of(std::string_view json) {
  const auto read = parse(json);
  return read ? "" : read.error().text();
}

TEST(Event, ExitHasAStatusInBothWords) {
  for (const std::string word : {"exit", "exit_status"}) {
    const auto said = parse(R"({"offset":8123,"event":")" + word + R"(","status":2})");
    ASSERT_TRUE(said);
    EXPECT_EQ(said->offset, 8123U);
    EXPECT_EQ(std::get<exit_status>(said->what).status, 2);
  }
}

TEST(Event, LabelHasKeyAndValue) {
  const auto said = parse(R"({"offset":0,"event":"label","key":"pr","value":"12"})");
  ASSERT_TRUE(said);
  EXPECT_EQ(std::get<label>(said->what).key, "pr");
  EXPECT_EQ(std::get<label>(said->what).value, "12");
}

TEST(Event, PlanFileHasRoleAndHash) {
  const auto said =
      parse(R"({"offset":9,"event":"plan_file","role":"out","sha256":"ab","bytes":7})");
  ASSERT_TRUE(said);
  EXPECT_EQ(std::get<plan_file>(said->what), (plan_file{plan_role::out, "ab", 7}));
}

TEST(Event, AttachmentHasItsPart) {
  const auto said =
      parse(R"({"offset":9,"event":"attachment","part":"config","sha256":"ab","hidden":3})");
  ASSERT_TRUE(said);
  EXPECT_EQ(std::get<attachment>(said->what), (attachment{feed::attachment::config, "ab", 0, 3}));
}

TEST(Event, AnUnknownEventStaysAsItIs) {
  const auto said = parse(R"({"offset":9,"event":"moon","phase":"full"})");
  ASSERT_TRUE(said);
  EXPECT_TRUE(std::holds_alternative<other>(said->what));
}

TEST(Event, AnErrorNamesTheWrongField) {
  EXPECT_NE(failure_of("x").find("JSON"), std::string::npos);
  EXPECT_NE(failure_of("[]").find("object"), std::string::npos);
  EXPECT_NE(failure_of(R"({"event":"exit"})").find("offset"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":-1,"event":"exit"})").find("offset"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1})").find("event"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"exit"})").find("status"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"exit","status":256})").find("status"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"label"})").find("key"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"plan_file","role":"x"})").find("role"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"attachment","part":"x"})").find("part"),
            std::string::npos);
}

// What is on disk and on the wire stays, word for word.
TEST(Event, IsWrittenAsItLiesOnDisk) {
  EXPECT_EQ(text_of({0, begin{"R", "", {}, feed::run_command::apply}}),
            R"({"offset":0,"event":"begin","id":"R","stack":null,"labels":{},"command":"apply"})");
  EXPECT_EQ(text_of({0, begin{"R", "a\"b", {{"pr", "12"}, {"é", "\n"}}, {}}}),
            R"({"offset":0,"event":"begin","id":"R","stack":"a\"b","labels":{"pr":"12","é":"\n"},)"
            R"("command":null})");
  EXPECT_EQ(text_of({9, exit_status{1}}), R"({"offset":9,"event":"exit_status","status":1})");
  EXPECT_EQ(text_of({4, label{"who", "\"me\""}}),
            R"({"offset":4,"event":"label","key":"who","value":"\"me\""})");
  EXPECT_EQ(text_of({7, plan_file{plan_role::argument, "ab", 0}}),
            R"({"offset":7,"event":"plan_file","role":"argument","sha256":"ab","bytes":0})");
  EXPECT_EQ(
      text_of({7, attachment{feed::attachment::plan, "ab", 5, 2}}),
      R"({"offset":7,"event":"attachment","part":"plan","sha256":"ab","bytes":5,"hidden":2})");
  EXPECT_EQ(text_of({7, attachment{feed::attachment::schemas, "ab", 0, 0}}),
            R"({"offset":7,"event":"attachment","part":"schemas","sha256":"ab"})");
  EXPECT_EQ(text_of({42, broken{}}), R"({"offset":42,"event":"broken"})");
  EXPECT_EQ(text_of({812, end{}}), R"({"offset":812,"event":"end"})");
  EXPECT_EQ(sent_exit(3), R"({"event":"exit","status":3})");
}

TEST(Event, IsReadAsItWasWritten) {
  for (const event& said :
       {event{0, begin{"R", "s", {{"a", "b"}}, feed::run_command::plan}}, event{9, exit_status{1}},
        event{4, label{"k", "v"}}, event{7, plan_file{plan_role::out, "ab", 8}},
        event{7, attachment{feed::attachment::plan, "ab", 5, 2}}, event{42, broken{}},
        event{812, end{}}}) {
    const std::string text = text_of(said);
    const auto again = parse(text);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(again->what.index(), said.what.index()) << text;
    EXPECT_EQ(text_of(*again), text);
  }
}

TEST(Event, ThatIsPutOffIsTheSameAsWhatWasSent) {
  const std::string sent = R"({"offset":3,"event":"label","key":"a","value":"b"})";
  const std::string kept = put_off(sent, 10);
  EXPECT_EQ(parse(kept)->offset, 10U);
  EXPECT_EQ(std::get<label>(parse(kept)->what).value, "b");
  EXPECT_TRUE(is_same(kept, sent));
  EXPECT_EQ(sent_offset(kept), 3U);
  EXPECT_EQ(sent_offset(sent), 3U);
  EXPECT_EQ(sent_offset("{"), 0U);
  EXPECT_TRUE(is_same(sent, sent));
  EXPECT_FALSE(is_same(kept, R"({"offset":4,"event":"label","key":"a","value":"b"})"));
  EXPECT_FALSE(is_same(kept, R"({"offset":3,"event":"label","key":"a","value":"c"})"));
  EXPECT_FALSE(is_same(kept, sent + " "));
  EXPECT_EQ(put_off("{", 10), "{");
  EXPECT_FALSE(is_same("{", "["));
}

}  // namespace
}  // namespace tofud::events
