#include "protocol/upload/create_request.hpp"

#include "protocol/feed/limits.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace tofud;
using namespace tofud::upload;

namespace {

std::string failure_of(std::string_view body) {
  const auto read = parse_create_request(body);
  return read ? "" : read.error().text();
}

TEST(CreateRequest, HasWhatTheForwarderSends) {
  const auto read = parse_create_request(
      R"({"protocol":"1.0","id":"20261121T0312-7f3a","upload_id":"u","upload_secret":"s",)"
      R"("rules":"sha256:ab","stack":"net/prod","labels":{"pr":"12","branch":"main"},)"
      R"("argv_command":"apply","may_ask":true,"parallelism":4,)"
      R"("started_at":"2026-11-21T03:12:05.120331Z"})");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->id, "20261121T0312-7f3a");
  EXPECT_EQ(read->upload_id, "u");
  EXPECT_EQ(read->upload_secret, "s");
  EXPECT_EQ(read->rules, "sha256:ab");
  EXPECT_EQ(read->stack, "net/prod");
  ASSERT_EQ(read->labels.size(), 2U);
  EXPECT_EQ(read->labels[0].key, "pr");
  EXPECT_EQ(read->command, feed::run_command::apply);
  EXPECT_TRUE(read->may_ask);
  EXPECT_EQ(read->parallelism, 4U);
  EXPECT_TRUE(read->started_at);
}

TEST(CreateRequest, TheDaemonReadsWhatTheForwarderWrites) {
  for (const auto* at : {"2026-11-21T03:12:05.120331Z", "2026-11-21T03:12:05Z"}) {
    const create_request wanted{"20261121T0312-7f3a",
                                "u",
                                "s",
                                "sha256:ab",
                                "",
                                {{"pr", "12"}, {"branch", ""}},
                                feed::run_command::test,
                                true,
                                30,
                                ui::parse_timestamp(at)};
    const std::string body = to_json(wanted);
    EXPECT_NE(body.find(at), std::string::npos) << body;
    const auto read = parse_create_request(body);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(to_json(*read), body);
    EXPECT_EQ(read->started_at, wanted.started_at);
    EXPECT_EQ(read->command, wanted.command);
  }
}

TEST(CreateRequest, ANumberOfOperationsThatCanNotBeTellsNothing) {
  const auto said = [](const std::string& text) {
    return parse_create_request(
               R"({"upload_id":"u","upload_secret":"s","rules":"sha256:ab","parallelism":)" + text +
               "}")
        ->parallelism;
  };
  EXPECT_EQ(said("-1"), 0U);
  EXPECT_EQ(said("\"10\""), 0U);
  EXPECT_EQ(said("9223372036854775807"), 100'000U);
}

TEST(CreateRequest, NeedsNoMoreThanItsUpload) {
  const auto read =
      parse_create_request(R"({"upload_id":"u","upload_secret":"s","rules":"sha256:ab"})");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->stack, "");
  EXPECT_FALSE(read->command);
  EXPECT_FALSE(read->started_at);
}

TEST(CreateRequest, NullIsAMissingMember) {
  EXPECT_EQ(failure_of(R"({"upload_id":"u","upload_secret":"s","rules":"r","stack":null,)"
                       R"("labels":null,"argv_command":null,"started_at":null})"),
            "");
}

TEST(CreateRequest, AnErrorNamesTheWrongField) {
  EXPECT_NE(failure_of("nonsense").find("JSON"), std::string::npos);
  EXPECT_NE(failure_of("[]").find("object"), std::string::npos);
  EXPECT_NE(failure_of(R"({"upload_secret":"s","rules":"r"})").find("upload_id"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"upload_id":"u","rules":"r"})").find("upload_secret"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"upload_id":"u","upload_secret":"s"})").find("rules"),
            std::string::npos);
  const std::string whole = R"({"upload_id":"u","upload_secret":"s","rules":"r",)";
  EXPECT_NE(failure_of(whole + R"("stack":7})").find("stack"), std::string::npos);
  EXPECT_NE(failure_of(whole + R"("labels":{"a":1}})").find("labels.a"), std::string::npos);
  EXPECT_NE(failure_of(whole + R"("started_at":"yesterday"})").find("started_at"),
            std::string::npos);
  EXPECT_NE(failure_of(whole + R"("protocol":"2.0"})").find("2.0"), std::string::npos);
}

TEST(CreateRequest, AnUnknownCommandIsOther) {
  const auto read = parse_create_request(
      R"({"upload_id":"u","upload_secret":"s","rules":"r","argv_command":"taint"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->command, feed::run_command::other);
}

TEST(CreateRequest, DepthOfItsBodyIsBounded) {
  EXPECT_NE(failure_of(std::string(100'000, '[')), "");
}

TEST(CheckedLabels, LaterOfTwoLabelsWins) {
  const auto labels = checked_labels({{"a", "1"}, {"b", "2"}, {"a", "3"}});
  ASSERT_TRUE(labels);
  ASSERT_EQ(labels->size(), 2U);
  EXPECT_EQ((*labels)[1].value, "3");
}

TEST(CheckedLabels, AreBoundedInNumberAndLength) {
  std::vector<feed::label> many;
  for (std::size_t i = 0; i <= limits::labels; ++i) many.push_back({std::to_string(i), "x"});
  EXPECT_FALSE(checked_labels(many));
  EXPECT_FALSE(checked_labels({{"a", std::string(limits::given_word_bytes + 1, 'x')}}));
  EXPECT_FALSE(checked_labels({{"", "x"}}));
}

}  // namespace
