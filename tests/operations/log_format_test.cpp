#include "daemon/operations/log_format.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tofud::operations {
namespace {

bool has(const std::string& text, std::string_view piece) {
  return text.find(piece) != std::string::npos;
}

log_line line_with(std::string_view text) {
  log_line line;
  line.at = std::chrono::sys_days{std::chrono::year{2026} / 11 / 22};
  line.level = spdlog::level::warn;
  line.kind = {"some_kind", "0123"};
  line.text = text;
  return line;
}

TEST(LogFormat, TextIsOneLineWhateverIsInIt) {
  EXPECT_EQ(as_text(line_with("a\nb\x1b[2J\x7f\r\tc")),
            "2026-11-22T00:00:00.000000Z warning a\\nb\\x1b[2J\\x7f\\x0d\\x09c\n");
}

TEST(LogFormat, TextEscapesC1AndKeepsOtherCharacters) {
  EXPECT_TRUE(has(as_text(line_with("\xc2\x9b"
                                    "31m caf\xc3\xa9")),
                  "\\xc2\\x9b31m caf\xc3\xa9\n"))
      << as_text(line_with("\xc2\x9b"
                           "31m caf\xc3\xa9"));
}

TEST(LogFormat, JsonHasTheFieldsThatAreSet) {
  auto line = line_with("x\ny\xff");
  line.run = "r1";
  line.left_out = 4;
  EXPECT_EQ(
      as_json(line),
      "{\"time\":\"2026-11-22T00:00:00.000000Z\",\"level\":\"warning\",\"event\":\"some_kind\","
      "\"message\":\"x\\ny\xef\xbf\xbd\",\"run\":\"r1\",\"left_out\":4}\n");
}

TEST(LogFormat, TheJournalGetsFields) {
  auto line = line_with("x\ny");
  line.peer = "uid 7\nPRIORITY=0";
  const std::vector<std::string> fields{"MESSAGE=x\\ny",           "PRIORITY=4",
                                        "SYSLOG_IDENTIFIER=tofud", "MESSAGE_ID=0123",
                                        "TOFUD_EVENT=some_kind",   "TOFUD_PEER=uid 7\\nPRIORITY=0"};
  EXPECT_EQ(as_journal_fields(line), fields);
}

TEST(LogFormat, KindsHaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const auto& each :
       {events::connection_failed, events::session_failed, events::fault,
        events::history_stands_still, events::history_goes_on, events::journal_trouble,
        events::run_remark, events::stream_lost, events::runs_retired, events::other}) {
    EXPECT_EQ(each.message_id.size(), 32U) << each.name;
    EXPECT_TRUE(ids.insert(each.message_id).second) << each.name;
  }
}

TEST(LogFormat, WordsAreRead) {
  EXPECT_EQ(parse_log_format("json"), log_format::json);
  EXPECT_EQ(parse_log_format("xml"), std::nullopt);
  EXPECT_EQ(parse_log_level("warning"), spdlog::level::warn);
  EXPECT_EQ(parse_log_level("loud"), std::nullopt);
  EXPECT_EQ(format_for(nullptr, 2), log_format::text);
  EXPECT_EQ(format_for("nonsense", 2), log_format::text);
  EXPECT_EQ(format_for("1:1", 2), log_format::text);
}

}  // namespace
}  // namespace tofud::operations
