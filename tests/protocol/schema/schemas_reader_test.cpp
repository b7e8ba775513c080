#include "protocol/schema/schemas_reader.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/schema/human.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

namespace tofud::schema {
namespace {

bool all(const place&) { return true; }

schemas_read read(std::string_view text, const schemas_scanner::wanted& asks = all,
                  std::size_t piece = 1 << 16) {
  schemas_reader reader{asks};
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  return reader.finish();
}

std::string only_finding(const schemas_read& of) {
  return of.findings.size() == 1 ? to_string(of.findings.front())
                                 : std::to_string(of.findings.size()) + " findings";
}

// A document around the schemas of one provider.
std::string around(const std::string& sections) {
  return R"({"format_version":"1.0","provider_schemas":{"example.com/a/b":{)" + sections + "}}}";
}

TEST(SchemasReader, ReadsTheSameAsAReaderOfTheWholeDocument) {
  for (const char* name : {"installed.schemas.json.gz", "small.schemas.json"}) {
    const parsed whole{golden(name)};
    const auto expected = read_provider_schemas(whole.root());
    ASSERT_TRUE(expected) << expected.error().text();
    const auto found = read(whole.text);
    EXPECT_TRUE(found.findings.empty()) << only_finding(found);
    EXPECT_TRUE(found.found == *expected) << name;
  }
}

TEST(SchemasReader, PiecesMayEndAnywhere) {
  const std::string text = golden("small.schemas.json");
  const auto whole = read(text);
  for (const std::size_t piece : {1, 2, 3, 7, 100}) {
    EXPECT_TRUE(read(text, all, piece).found == whole.found) << piece;
  }
}

// What OpenTofu 1.12.6 prints of a configuration without providers.
TEST(SchemasReader, ADocumentWithNothingButItsVersionHasNoSchemas) {
  for (const auto& [text, is_one] :
       {std::pair{R"({"format_version":"1.0"})", true},
        std::pair{R"({"format_version":"1.0","values":{}})", false},
        std::pair{R"({"values":{},"format_version":"1.0"})", false}, std::pair{"{}", false}}) {
    schemas_reader reader{all};
    reader.feed(text);
    const auto made = reader.finish();
    EXPECT_TRUE(made.findings.empty()) << only_finding(made);
    EXPECT_TRUE(made.found.providers.empty());
    EXPECT_EQ(reader.what() == schemas_scanner::document::provider_schemas, is_one) << text;
  }
}

TEST(SchemasReader, KeepsOnlyRequestedSchemas) {
  const auto found = read(golden("installed.schemas.json.gz"), [](const place& each) {
    return each.in == section::resource && each.type == "local_file";
  });
  const auto& local = found.found.providers.at("registry.opentofu.org/hashicorp/local");
  EXPECT_EQ(found.found.providers.size(), 1U);
  EXPECT_EQ(local.resources.size(), 1U);
  EXPECT_FALSE(local.configuration);
  EXPECT_TRUE(local.data_sources.empty());
  const auto* file =
      found.found.find("registry.opentofu.org/hashicorp/local", mode::managed, "local_file");
  ASSERT_NE(file, nullptr);
  const auto* content = find_attribute(file->block.attributes, "content");
  ASSERT_NE(content, nullptr);
  EXPECT_EQ(content->type, type{type::kind::string});
  EXPECT_TRUE(content->optional);
}

TEST(SchemasReader, RealProvidersAreReadWhole) {
  std::size_t resources = 0, others = 0;
  read(golden("installed.schemas.json.gz"), [&](const place& each) {
    ++(each.in == section::resource ? resources : others);
    return false;
  });
  EXPECT_EQ(resources, 22U);
  EXPECT_EQ(others, 7U + 8U + 5U);  // providers, data sources, ephemeral resources
}

TEST(SchemasReader, ReadsMembersThatOnlyAProviderSchemaHas) {
  const auto found = read(around(
      R"("ephemeral_resource_schemas":{"b_e":{"version":4,"block":{"deprecated":true,"attributes":{)"
      R"("w":{"type":"dynamic","write_only":true,"optional":true},)"
      R"("t":{"type":["tuple",["bool",["object",{"z":"number","a":"string"}]]],"computed":true}},)"
      R"("block_types":{"g":{"nesting_mode":"group","block":{}},)"
      R"("m":{"nesting_mode":"map","block":{},"min_items":1,"max_items":3}}}}})"));
  ASSERT_TRUE(found.findings.empty()) << only_finding(found);
  const auto* of = found.found.find("example.com/a/b", mode::ephemeral, "b_e");
  ASSERT_NE(of, nullptr);
  EXPECT_EQ(of->version, 4U);
  EXPECT_TRUE(of->block.deprecated);
  const auto* write_only = find_attribute(of->block.attributes, "w");
  EXPECT_EQ(write_only->type, type{type::kind::dynamic});
  EXPECT_TRUE(write_only->write_only);
  EXPECT_EQ(type_text(find_attribute(of->block.attributes, "t")->type),
            "tuple([bool, object({ a = string, z = number })])");
  EXPECT_EQ(find_block(of->block, "g")->nesting, nesting::group);
  const auto* map = find_block(of->block, "m");
  EXPECT_EQ(map->nesting, nesting::map);
  EXPECT_EQ(map->least, 1U);
  EXPECT_EQ(map->most, 3U);
  EXPECT_EQ(describe("e", *of, 80),
            "e\n"
            "  t  tuple([bool, object({ a = string, z = number })])  computed\n"
            "  w  any  optional, write-only\n"
            "  g  block, always there\n"
            "  m  map of blocks  at least 1, at most 3\n");
}

TEST(SchemasReader, LastOfTwoSchemasOfOneNameWins) {
  const auto found = read(
      around(R"("resource_schemas":{"b_t":{"version":1},"b_t":{"version":2,"block":{"attributes":)"
             R"({"x":{"type":"bool"},"y":{"type":"bool"},"x":{"type":"string"}}}}})"));
  const auto* of = found.found.find("example.com/a/b", mode::managed, "b_t");
  ASSERT_NE(of, nullptr);
  EXPECT_EQ(of->version, 2U);
  ASSERT_EQ(of->block.attributes.size(), 2U);
  EXPECT_EQ(of->block.attributes[0].type, type{type::kind::string});
}

TEST(SchemasReader, IdentitiesAreSchemasOfAttributes) {
  const auto found =
      read(around(R"("resource_identity_schemas":{"b_t":{"version":2,"attributes":{)"
                  R"("region":{"type":"string","optional_for_import":true},)"
                  R"("id":{"type":"string","description":"d","required_for_import":true}}}})"));
  const auto& identity = found.found.providers.at("example.com/a/b").identities.at("b_t");
  EXPECT_EQ(identity.version, 2U);
  ASSERT_EQ(identity.block.attributes.size(), 2U);
  EXPECT_EQ(identity.block.attributes[0].name, "id");
  EXPECT_TRUE(identity.block.attributes[0].required);
  EXPECT_EQ(identity.block.attributes[0].description, "d");
  EXPECT_TRUE(identity.block.attributes[1].optional);
}

TEST(SchemasReader, AWrongSchemaIsReportedAndTheOthersStay) {
  const auto found = read(around(R"("resource_schemas":{"b_bad":{"block":{"attributes":{)"
                                 R"("x":{"type":"strin"}}}},"b_good":{"version":3,"block":{}}})"));
  EXPECT_EQ(only_finding(found),
            R"(warning: provider_schemas["example.com/a/b"].resource_schemas.b_bad.block)"
            R"(.attributes.x.type is not a type: "strin"; it is ignored)");
  EXPECT_EQ(found.found.find("example.com/a/b", mode::managed, "b_good")->version, 3U);
  EXPECT_EQ(found.found.find("example.com/a/b", mode::managed, "b_bad"), nullptr);
}

struct broken {
  const char* text;
  const char* finding;
};

TEST(SchemasReader, AnErrorHasItsPlace) {
  const broken table[] = {
      {"", "1:1: no JSON"},
      {"  \n ", "2:2: no JSON"},
      {"{\"format_version\":\"1.0\",\n  oops}", "2:3: invalid JSON (syntax error)"},
      {R"({"format_version":"1.0")", "1:24: ends in the middle of a value"},
      {"{}{}", "1:3: there is more after the end of the document"},
      {"[]", "the document is not an object"},
      {"null", "the document is not an object"},
      {R"({"provider_schemas":{}})",
       "format_version: is missing; give the output of `tofu providers schema -json`"},
      {R"({"format_version":"2.0","provider_schemas":{}})",
       "format_version: is 2.0, but this tofud knows only 1"},
      {R"({"format_version":"1.0","provider_schemas":[{"a":{}}]})",
       "provider_schemas: is not an object"},
      {R"({"format_version":"1.0","provider_schemas":{"a.b":3}})",
       R"(provider_schemas["a.b"]: is not an object)"},
      {R"({"format_version":"1.0","provider_schemas":{"a":{"resource_schemas":"x"}}})",
       "provider_schemas.a.resource_schemas: is not an object"},
      {R"({"format_version":"1.0","provider_schemas":{"a":{"provider":[]}}})",
       "provider_schemas.a.provider: is not an object"},
      {R"({"format_version":"1.0","provider_schemas":{"a":{"resource_schemas":{"t":true}}}})",
       "provider_schemas.a.resource_schemas.t: is not an object"},
  };
  for (const broken& each : table) EXPECT_EQ(only_finding(read(each.text)), each.finding);
}

TEST(SchemasReader, SchemasBeforeAnErrorStay) {
  const std::string whole = golden("small.schemas.json");
  const auto found = read(whole.substr(0, whole.find("data_source_schemas")));
  EXPECT_NE(found.found.find("registry.opentofu.org/examples/small", mode::managed, "small_thing"),
            nullptr);
  EXPECT_EQ(found.findings.size(), 1U);
}

TEST(SchemasReader, NullsUnknownMembersAndFunctionsAreSkipped) {
  const auto found = read(
      R"({"later":[{"provider_schemas":1}],"format_version":"1.9","provider_schemas":{"a":null,)"
      R"("b":{"functions":{"f":3},"later":[],"resource_schemas":null,"data_source_schemas":)"
      R"({"d":{"later":1,"block":{"attributes":{"x":{"type":"bool","later":{}}}}}}}}})");
  EXPECT_TRUE(found.findings.empty()) << only_finding(found);
  EXPECT_NE(found.found.find("b", mode::data, "d"), nullptr);
}

TEST(SchemasReader, OneSchemaThatIsTooLargeIsLeftOut) {
  const std::string large(limits::schema_bytes, 'x');
  const auto found =
      read(around(R"("resource_schemas":{"b_large":{"block":{"description":")" + large +
                  R"(","attributes":{"a":{"type":"bool"}}}},"b_small":{"block":{}}})"));
  EXPECT_EQ(only_finding(found),
            R"(provider_schemas["example.com/a/b"].resource_schemas.b_large: warning: )"
            "has more than 32 MiB and is ignored");
  EXPECT_EQ(found.found.find("example.com/a/b", mode::managed, "b_large"), nullptr);
  EXPECT_NE(found.found.find("example.com/a/b", mode::managed, "b_small"), nullptr);
}

TEST(SchemasReader, NamesHaveABound) {
  const std::string name(limits::schema_name_bytes + 1, 'n');
  EXPECT_EQ(only_finding(read(around(R"("resource_schemas":{")" + name + R"(":{}})"))),
            R"(provider_schemas["example.com/a/b"].resource_schemas: has a name of more than )"
            "1024 bytes");
}

}  // namespace
}  // namespace tofud::schema
