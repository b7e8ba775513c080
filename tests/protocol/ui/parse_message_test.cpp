// What is a message, what is text, and the envelope.
#include "protocol/json/limits.hpp"
#include "tests/protocol/ui/message_lines.hpp"

#include <string>

namespace tofud::ui {
namespace {

using tests::hook;
using tests::line;
using tests::reader;
using tests::t_n;

TEST(MessageParser, TheEnvelopeHasTheCommonMembers) {
  const reader r{
      R"({"@level":"warn","@message":"a\nb","@module":"tofu.ui","@testfile":"f.tftest.hcl","@testrun":"r",)"
      R"("@timestamp":"2026-01-02T03:04:05.000001Z","type":"log"})"};
  ASSERT_TRUE(r.parsed.head.has_value());
  EXPECT_FALSE(r.parsed.text.has_value());
  EXPECT_EQ(r.parsed.head->level, "warn");
  EXPECT_EQ(r.parsed.head->text, "a\nb");
  EXPECT_EQ(r.parsed.head->type, "log");
  EXPECT_EQ(r.parsed.head->test_file, "f.tftest.hcl");
  EXPECT_EQ(r.parsed.head->test_run, "r");
  EXPECT_EQ(r.parsed.head->at, parse_timestamp("2026-01-02T03:04:05.000001Z"));
}

TEST(MessageParser, OrderOfMembersDoesNotMatter) {
  const reader r{R"({"ui":"1.2","type":"version","tofu":"1.12.6","@module":"tofu.ui"})"};
  EXPECT_EQ(r.as<version>().tofu, "1.12.6");
}

TEST(MessageParser, ModuleOfTerraformIsAUiMessageToo) {
  EXPECT_TRUE(reader{R"({"@module":"terraform.ui","type":"log"})"}.is<log>());
}

TEST(MessageParser, ObjectsOfOtherModulesAreText) {
  for (
      const char* const text :
      {R"({"@level":"debug","@message":"x","@module":"tofu.core","@timestamp":"2026-01-02T03:04:05.0Z"})",
       R"({"@level":"info","@message":"x","@module":"provider.tofu.ui"})",
       R"({"@module":7,"type":"log"})", R"({"@module":{"a":"tofu.ui"},"type":"log"})",
       R"({"@level":"info","@message":"x"})", R"({"type":"log"})", "{}",
       R"({"a":{"@module":"tofu.ui"}})"}) {
    const reader r{text};
    EXPECT_FALSE(r.parsed.head.has_value()) << text;
    EXPECT_EQ(r.parsed.text, text);
  }
}

TEST(MessageParser, ANonObjectIsText) {
  for (const char* const text : {"", " ", "+ deploying", "[]", "null", "7", "\"tofu.ui\"", "{", "}",
                                 "{\"@module\":\"tofu.ui\"", "{\"@module\":\"tofu.ui\",}",
                                 "[{\"@module\":\"tofu.ui\"}]", "\xff\xfe", "{\xff}"}) {
    const reader r{text};
    EXPECT_FALSE(r.parsed.head.has_value()) << text;
    EXPECT_EQ(r.parsed.text, text);
  }
}

TEST(MessageParser, TextLosesOneTrailingCarriageReturn) {
  EXPECT_EQ(reader{"done\r"}.parsed.text, "done");
  EXPECT_EQ(reader{"done\r\r"}.parsed.text, "done\r");
  EXPECT_EQ(reader{"\r"}.parsed.text, "");
  EXPECT_TRUE(reader{line("log") + "\r"}.is<log>());
}

TEST(MessageParser, TextBeforeAMessageOfTheSameLineIsTextAndMessage) {
  const reader r{"no newline " + line("version", R"("tofu":"1.12.6","ui":"1.2")")};
  EXPECT_EQ(r.parsed.text, "no newline ");
  EXPECT_EQ(r.as<version>().tofu, "1.12.6");
}

TEST(MessageParser, OnlyTheLastMessageOfALineIsOneAndTheRestIsText) {
  const std::string first = line("log");
  const reader r{first + line("state_lock_acquire")};
  EXPECT_EQ(r.parsed.text, first);
  EXPECT_TRUE(r.is<notice>());
}

TEST(MessageParser, TextThatOnlyLooksLikeAMessageBehindItIsTextWhole) {
  for (const std::string& text :
       {std::string{R"(echo {"@level":"info")"}, "x " + line("log") + " y",
        std::string{R"(x {"@level":"info","@module":"tofu.core"})"}}) {
    const reader r{text};
    EXPECT_FALSE(r.parsed.head.has_value()) << text;
    EXPECT_EQ(r.parsed.text, text);
  }
}

TEST(MessageParser, BytesThatAreNoUtf8AreReplacedInAUiMessage) {
  const reader r{
      hook("provision_progress", t_n + ",\"provisioner\":\"local-exec\",\"output\":\"a\xff\xfe"
                                       "b\"")};
  EXPECT_EQ(r.as<provision_progress>().output, "a\uFFFD\uFFFDb");
}

TEST(MessageParser, TextKeepsItsBytesValidOrNot) {
  EXPECT_EQ(reader{"a\xff"}.parsed.text, "a\xff");
}

TEST(MessageParser, StampThatIsNoTimeIsNone) {
  const reader r{R"({"@module":"tofu.ui","@timestamp":"yesterday","type":"log"})"};
  ASSERT_TRUE(r.parsed.head.has_value());
  EXPECT_FALSE(r.parsed.head->at.has_value());
  EXPECT_FALSE(
      reader{R"({"@module":"tofu.ui","@timestamp":7,"type":"log"})"}.parsed.head->at.has_value());
}

TEST(MessageParser, TooDeepAUiMessageIsMalformedAndKeepsItsEnvelope) {
  std::string deep;
  for (std::size_t i = 0; i <= limits::json_depth; ++i) deep += '[';
  const reader r{R"({"@level":"info","@message":"said","@module":"tofu.ui","hook":)" + deep};
  EXPECT_TRUE(r.is<malformed>());
  EXPECT_EQ(r.parsed.head->text, "said");
}

TEST(MessageParser, AWholeObjectIsAFinishedLastLine) {
  message_parser parser;
  const std::string whole = line("log");
  EXPECT_TRUE(parser.is_whole_object(whole));
  EXPECT_TRUE(parser.is_whole_object(whole + "\r"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parser.is_whole_object(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(parser.is_whole_object("[{}]"));
  EXPECT_FALSE(parser.is_whole_object("{} x"));
}

TEST(MessageParser, WholeObjectMayHoldBytesThatAreNoUtf8) {
  message_parser parser;
  EXPECT_TRUE(parser.is_whole_object("{\"a\":\"\xff\"}"));
  EXPECT_FALSE(parser.is_whole_object("{\"a\":\"\xff\""));
}

TEST(MessageParser, NothingOfOneLineIsInTheNext) {
  message_parser parser;
  const std::string message = line("log");
  EXPECT_TRUE(parser.parse(message).head.has_value());
  EXPECT_FALSE(parser.parse("text").head.has_value());
  const std::string mixed = "text" + message;
  EXPECT_TRUE(parser.parse(mixed).text.has_value());
  EXPECT_FALSE(parser.parse(message).text.has_value());
}

TEST(MessageParser, EveryMessageCutAnywhereIsText) {
  const std::string whole =
      hook("apply_complete", t_n + R"(,"action":"create","id_key":"id","id_value":"i\"1")");
  message_parser parser;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string torn = whole.substr(0, size);
    const parsed_line& parsed = parser.parse(torn);
    EXPECT_FALSE(parsed.head.has_value()) << size;
    EXPECT_EQ(parsed.text, torn);
  }
}

}  // namespace
}  // namespace tofud::ui
