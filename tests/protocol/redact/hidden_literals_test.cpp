#include "protocol/redact/hidden_literals.hpp"

#include "protocol/diagnostics/generated_snippet.hpp"
#include "tests/protocol/diagnostics/by_hand.hpp"

namespace tofud::redact {
namespace {

feed::diagnostic_row hidden(const std::string& code, std::string_view marked,
                            const std::string& context = "resource \"acme_db\" \"main\"") {
  feed::diagnostic_row row = diagnostics::fault_at("main.tf", code, marked);
  row.snippet->context = context;
  hide_sensitive(row, diagnostics::acme());
  return row;
}

std::string code_of(const std::string& code,
                    const std::string& context = "resource \"acme_db\" \"main\"") {
  return hidden(code, code.substr(0, 1), context).snippet->code;
}

TEST(HiddenLiterals, LiteralOfASensitiveAttributeIsRedacted) {
  EXPECT_EQ(code_of("  password = \"hunter2\""), "  password = (sensitive value)");
  EXPECT_EQ(code_of("  password = \"hunter2\" # here"), "  password = (sensitive value) # here");
  EXPECT_EQ(code_of("  password = upper(\"hunter2\")"), "  password = (sensitive value)");
  EXPECT_EQ(code_of("  password = 123456"), "  password = (sensitive value)");
  EXPECT_EQ(code_of("  password = \"x-${var.a}\""), "  password = (sensitive value)");
  EXPECT_EQ(code_of("    secret = \"hunter2\""), "    secret = (sensitive value)");
  EXPECT_EQ(code_of("  settings = { size = 1, key = \"hunter2\" }"),
            "  settings = { size = 1, key = (sensitive value) }");
  EXPECT_EQ(code_of("resource \"acme_db\" \"main\" { password = \"hunter2\" }"),
            "resource \"acme_db\" \"main\" { password = (sensitive value) }");
}

TEST(HiddenLiterals, ReferencesAndOtherAttributesStay) {
  for (const std::string line :
       {"  password = var.password", "  password = var.passwords[0].x", "  password = null",
        "  password = \"${var.password}\"", "  name = \"main\"", "  port = 1",
        "  count = length(\"abc\") == 1 ? 1 : 0", "resource \"acme_db\" \"main\" {",
        "  provisioner \"local-exec\" {", "    command = \"echo ${nope}\"", "}"}) {
    EXPECT_EQ(code_of(line), line);
  }
  EXPECT_EQ(code_of("  password = \"hunter2\"", "resource \"other_db\" \"x\""),
            "  password = \"hunter2\"");
}

TEST(HiddenLiterals, OverSeveralLinesAreNotShown) {
  EXPECT_EQ(code_of("  password = <<EOT\nhunter2\n${nope}\nEOT\n  name = \"a\""),
            "  password = (sensitive value)\n  name = \"a\"");
  EXPECT_EQ(code_of("  password = join(\"\", [\n    \"hunter2\",\n  ])\n  port = 1"),
            "  password = (sensitive value)\n  port = 1");
  EXPECT_EQ(code_of("  password = <<EOT\nhunter2"), "  password = (sensitive value)");
}

TEST(HiddenLiterals, AmbiguousLiteralsAreNotShown) {
  EXPECT_EQ(code_of("    \"hunter2\","), "    (sensitive value)");
  EXPECT_EQ(code_of("    pin = \"hunter2\""), "    pin = (sensitive value)");
  EXPECT_EQ(code_of("  password = \"hunter2"), "  password = (sensitive value)");
}

TEST(HiddenLiterals, TheFaultStaysMarked) {
  EXPECT_EQ(diagnostics::marked(hidden("  password = \"hunter2\"", "hunter2")),
            "(sensitive value)");
  EXPECT_EQ(diagnostics::marked(hidden("  password = \"hunter2\"", "password")), "password");
  const auto behind =
      hidden("resource \"acme_db\" \"m\" { password = \"hunter2\", nmae = 1 }", "nmae");
  EXPECT_EQ(diagnostics::marked(behind), "nmae");
}

TEST(HiddenLiterals, LiteralInADrawnBlockIsFoundByItsPlace) {
  feed::diagnostic_row row = diagnostics::fault_at(
      "main.tf.json",
      R"({"resource":{"acme_db":{"main":{"name":"${nope}","password":"hunter2","tags":{"password":"visible"},"network":[{"port":1,"secret":"hunter3"}],"settings":{"size":1,"key":["hunter4"]}}}}})",
      "nope");
  diagnostics::redraw_generated(row);
  EXPECT_TRUE(hide_sensitive(row, diagnostics::acme()));
  EXPECT_EQ(row.snippet->code, R"("resource": {"acme_db": {"main": {
  "name": "${nope}",
  "password": (sensitive value),
  "tags": {
    "password": "visible"
  },
  "network": [
    {
      "port": 1,
      "secret": (sensitive value)
    }
  ],
  "settings": {
    "size": 1,
    "key": (sensitive value)
  }
}}})");
  EXPECT_EQ(diagnostics::marked(row), "nope");
}

TEST(HiddenLiterals, LiteralInAJsonLineIsRedacted) {
  feed::diagnostic_row row = diagnostics::fault_at(
      "main.tf.json", "  \"password\": \"hunter2\", \"name\": \"a\",", "hunter2");
  row.snippet->start_line = 4;
  row.snippet->context = "resource.acme_db.main";
  EXPECT_TRUE(hide_sensitive(row, diagnostics::acme()));
  EXPECT_EQ(row.snippet->code, "  \"password\": (sensitive value), \"name\": \"a\",");
  EXPECT_EQ(diagnostics::marked(row), "(sensitive value)");
}

TEST(HiddenLiterals, ValuesOfSensitiveAttributesAreNotShown) {
  feed::diagnostic_row row =
      diagnostics::fault_at("main.tf", "  value = acme_db.main.password", "acme");
  row.snippet->context = "output \"o\"";
  row.snippet->values = {{"acme_db.main.password", "is \"hunter2\""},
                         {"acme_db.main[0].settings.key", "is \"hunter2\""},
                         {"data.acme_login.x[\"a\"].token", "is \"hunter2\""},
                         {"acme_db.main.name", "is \"main\""},
                         {"acme_db.main", "is object with 5 attributes"}};
  EXPECT_TRUE(hide_sensitive(row, diagnostics::acme()));
  EXPECT_EQ(row.snippet->values[0].statement, "has a sensitive value");
  EXPECT_EQ(row.snippet->values[1].statement, "has a sensitive value");
  EXPECT_EQ(row.snippet->values[2].statement, "has a sensitive value");
  EXPECT_EQ(row.snippet->values[3].statement, "is \"main\"");
  EXPECT_EQ(row.snippet->values[4].statement, "is object with 5 attributes");
}

TEST(HiddenLiterals, AreHiddenInTextsToo) {
  feed::diagnostic_row row =
      diagnostics::fault_at("main.tf", "  password = \"hunter2\"", "\"hunter2\"");
  row.snippet->context = "resource \"acme_db\" \"main\"";
  row.summary = "expected password to be longer, got hunter2";
  row.detail = "\"hunter2\" is too short";
  EXPECT_TRUE(hide_sensitive(row, diagnostics::acme()));
  EXPECT_EQ(row.summary, "expected password to be longer, got (sensitive value)");
  EXPECT_EQ(row.detail, "\"(sensitive value)\" is too short");
  EXPECT_FALSE(hide_sensitive(row, diagnostics::acme()));
}

}  // namespace
}  // namespace tofud::redact
