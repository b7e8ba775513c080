#include "protocol/redact/withheld_line.hpp"

#include "tests/protocol/diagnostics/by_hand.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::redact {
namespace {

std::string fault_line(const std::string& file, const std::string& code) {
  return R"({"@level":"error","@message":"Error: no","@module":"tofu.ui","type":"diagnostic","diagnostic":{"severity":"error",)"
         R"("summary":"no","detail":"","range":{"filename":")" +
         file +
         R"(","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":2,"byte":1}},"snippet":{"context":)"
         R"("resource \"acme_db\" \"main\"","code":")" +
         code +
         R"(","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[]}}})";
}

bool withheld(std::string_view line) {
  ui::message_parser parser;
  const auto known = diagnostics::acme();
  return says_more_than_its_row(line, &known, parser);
}

bool withheld_without_schemas(std::string_view line) {
  ui::message_parser parser;
  return says_more_than_its_row(line, nullptr, parser);
}

TEST(WithheldLine, IsADiagnosticWithAValueOfASensitiveAttribute) {
  EXPECT_TRUE(withheld(fault_line("main.tf", R"(  password = \"hunter2\")")));
  EXPECT_FALSE(withheld(fault_line("main.tf", "  password = var.password")));
  EXPECT_FALSE(withheld(fault_line("main.tf", R"(  name = \"main\")")));
}

TEST(WithheldLine, OnlyKnownSensitiveLinesAreRedactedWithoutSchemas) {
  EXPECT_FALSE(withheld_without_schemas(fault_line("main.tf", R"(  password = \"hunter2\")")));
  EXPECT_FALSE(withheld("text password = \"hunter2\""));
  EXPECT_FALSE(withheld(""));
  EXPECT_FALSE(
      withheld(R"({"@level":"info","@message":"password","@module":"tofu.ui","type":"log"})"));
}

TEST(WithheldLine, IsADiagnosticWithTheWholeOfAGeneratedFile) {
  const std::string file =
      R"({\"resource\":{\"acme_db\":{\"main\":{\"name\":1}},\"acme_other\":{\"b\":{\"key\":\"hunter2\"}}}})";
  EXPECT_TRUE(withheld_without_schemas(fault_line("cdk.tf.json", file)));
}

TEST(WithheldLine, IsReplacedByAMessageWithoutAnAddress) {
  ui::message_parser parser;
  EXPECT_FALSE(parser.parse(withheld_line()).head);  // not one of OpenTofu's
  EXPECT_FALSE(withheld(withheld_line()));
  EXPECT_EQ(withheld_line().find('\n'), std::string_view::npos);
}

}  // namespace
}  // namespace tofud::redact
