#include "protocol/diagnostics/attribute_card.hpp"

#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/diff/limits.hpp"
#include "tests/protocol/diagnostics/by_hand.hpp"

#include <memory>

namespace tofud::diagnostics {
namespace {

std::string path_of(const feed::diagnostic_row& row) {
  const auto card = card_of(row, acme());
  return card ? card->type + " " + card->path : "";
}

feed::diagnostic_row at(const std::string& line, std::string_view marked,
                        const std::string& context = "resource \"acme_db\" \"main\"") {
  feed::diagnostic_row row = fault_at("main.tf", line, marked);
  row.snippet->context = context;
  return row;
}

feed::diagnostic_row in_words(const std::string& summary, const std::string& detail) {
  feed::diagnostic_row row = at("resource \"acme_db\" \"main\" {", "{");
  row.address = "module.m[0].acme_db.main[\"a\"]";
  row.summary = summary;
  row.detail = detail;
  return row;
}

TEST(AttributeCard, ShowsTheMarkedAttributesSpecification) {
  const auto card = card_of(at("  port = 0", "0"), acme());
  ASSERT_TRUE(card);
  EXPECT_EQ(card->type, "acme_db");
  EXPECT_EQ(card->path, "port");
  EXPECT_EQ(card->value_type, "number");
  EXPECT_FALSE(card->required);
  EXPECT_EQ(card->description, "Port to listen on.");
  EXPECT_EQ(card->default_value, "5432");
  EXPECT_EQ(card->validators, std::vector<std::string>{"int64validator.Between(1, 65535)"});
  EXPECT_EQ(card->replacement, "certain");
}

TEST(AttributeCard, FindsTheAttributeInTheLine) {
  EXPECT_EQ(path_of(at("  name = upper(var.x)", "var.x")), "acme_db name");
  EXPECT_EQ(path_of(at("  name = upper(\"a\", \"b\")", "\"b\"")), "acme_db name");
  EXPECT_EQ(path_of(at("  name = 1", "name")), "acme_db name");
  EXPECT_EQ(path_of(at("  network {", "network")), "acme_db network");
  EXPECT_EQ(path_of(at("  tags = { a = 1 }", "1 ")), "");  // `a` of what, this line does not say
  EXPECT_EQ(path_of(at("resource \"acme_db\" \"main\" { name = 1 }", "1")), "acme_db name");
  EXPECT_EQ(path_of(at("resource \"acme_db\" \"main\" { tags = { a = 1 } }", "1 ")),
            "acme_db tags");
}

TEST(AttributeCard, AmbiguousNameTakesTheOneAtTheSameDepth) {
  EXPECT_EQ(path_of(at("  port = 0", "0")), "acme_db port");
  EXPECT_EQ(path_of(at("    port = 0", "0")), "acme_db network.port");
  EXPECT_EQ(path_of(at("      port = 0", "0")), "acme_db network.port");  // of `dynamic`
  EXPECT_EQ(path_of(at("\tport = 0", "0")), "acme_db port");
}

TEST(AttributeCard, UnknownAttributeHasNone) {
  EXPECT_EQ(path_of(at("  prot = 0", "prot")), "");
  EXPECT_EQ(path_of(at("  provisioner \"local-exec\" {", "{")), "");
  EXPECT_EQ(path_of(at("  port = 0", "0", "resource \"other_db\" \"main\"")), "");
  EXPECT_EQ(path_of(at("  port = 0", "0", "output \"port\"")), "");
  feed::diagnostic_row row = at("  prot = 1", "prot");
  row.detail = "An argument named \"prot\" is not expected here. Did you mean \"port\"?";
  EXPECT_EQ(path_of(row), "");
}

// The words of OpenTofu, of the plugin framework and its validators, of the older SDK.
TEST(AttributeCard, FindsTheAttributeInWords) {
  EXPECT_EQ(path_of(in_words("Missing required argument",
                             "The argument \"name\" is required, but no definition was found.")),
            "acme_db name");
  EXPECT_EQ(
      path_of(in_words("Invalid Attribute Value",
                       "Attribute network[0].port value must be between 1 and 65535, got: 0")),
      "acme_db network.port");
  EXPECT_EQ(path_of(in_words("Incorrect attribute value type",
                             "Inappropriate value for attribute \"port\": a number is required.")),
            "acme_db port");
  EXPECT_EQ(path_of(in_words("Provider produced inconsistent result after apply",
                             "When applying changes to acme_db.main, provider \"x\" produced an "
                             "unexpected new value: .port: was cty.NumberIntVal(1), but now "
                             "cty.NumberIntVal(2).")),
            "acme_db port");
  EXPECT_EQ(path_of(in_words("\"name\": required field is not set", "")), "acme_db name");
  EXPECT_EQ(path_of(in_words("Create acme_db error", "connection refused")), "");
}

TEST(AttributeCard, KnowsFilesInJsonSyntax) {
  feed::diagnostic_row row = fault_at("main.tf.json", "        \"port\": \"x\",", "\"x\"");
  row.snippet->start_line = 9;
  row.snippet->context = "resource.acme_db.main.network[1]";
  EXPECT_EQ(path_of(row), "acme_db network.port");
  row = fault_at(
      "main.tf.json",
      R"({"resource":{"acme_db":{"main":[{"dynamic":{"network":{"content":{"port":"x"}}}}]}}})",
      "\"x\"");
  redraw_generated(row);
  EXPECT_EQ(path_of(row), "acme_db network.port");
  row = fault_at("main.tf.json", R"({"provider":{"acme":{"region":1}}})", "1");
  redraw_generated(row);
  EXPECT_EQ(path_of(row), "acme region");
}

TEST(AttributeCard, SensitiveAttributeShowsNoDefault) {
  schema::schemas known = acme();
  for (schema::attribute& each :
       known.providers.begin()->second.resources.at("acme_db").block.attributes) {
    if (each.name == "password") each.default_value = "\"hunter2\"";
  }
  const auto card = card_of(at("  password = 0", "0"), known);
  ASSERT_TRUE(card);
  EXPECT_TRUE(card->sensitive);
  EXPECT_EQ(card->default_value, "");
}

TEST(AttributeCard, HasLimits) {
  schema::schemas known = acme();
  for (schema::attribute& each :
       known.providers.begin()->second.resources.at("acme_db").block.attributes) {
    if (each.name != "port") continue;
    for (int i = 0; i < 5000; ++i) each.description += "世";
    each.validators.assign(100, std::string(9000, 'v'));
    each.default_value = "\"" + std::string(9000, 'd') + "\"";
  }
  const auto card = card_of(at("  port = 0", "0"), known);
  ASSERT_TRUE(card);
  EXPECT_LE(card->description.size(), limits::card_text_bytes);
  EXPECT_TRUE(card->description.ends_with("世…"));
  EXPECT_EQ(card->validators.size(), limits::card_validators);
  EXPECT_LE(card->validators[0].size(), limits::card_text_bytes);
  EXPECT_EQ(card->default_value, "");
}

TEST(AttributeCard, TypeOfTwoProvidersHasOneOnlyIfTheyAgree) {
  schema::schemas known = acme();
  auto& first = known.providers.begin()->second;
  known.providers["example.com/fork/acme"] = first;
  EXPECT_TRUE(card_of(at("  port = 0", "0"), known));
  known.providers["example.com/fork/acme"].resources.at("acme_db").block.attributes[0].required =
      true;
  EXPECT_FALSE(card_of(at("  port = 0", "0"), known));
}

}  // namespace
}  // namespace tofud::diagnostics
