#include "protocol/schema/specification.hpp"

#include "protocol/schema/human.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tofud::schema {
namespace {

std::vector<std::string> findings_of(const std::string& text) {
  const parsed document{text};
  std::vector<std::string> lines;
  for (const finding& each : check_specification(document.root())) {
    lines.push_back(to_string(each));
  }
  return lines;
}

std::string document(const std::string& members) {
  return R"({"version":"0.1.0","provider":{"name":"p"})" + (members.empty() ? "" : "," + members) +
         "}";
}

std::string resource(const std::string& schema) {
  return document(R"("resources":[{"name":"r","schema":{)" + schema + "}}]");
}

std::string attributes(const std::string& list) {
  return resource(R"("attributes":[)" + list + "]");
}

// A resource with one attribute `a`, or block `b`, of a type with these members.
std::string attribute(const std::string& word, const std::string& members) {
  return attributes(R"({"name":"a",")" + word + R"(":{"computed_optional_required":"optional")" +
                    (members.empty() ? "" : "," + members) + "}}");
}

std::string block(const std::string& kind, const std::string& members) {
  return resource(R"("blocks":[{"name":"b",")" + kind + R"(":{)" + members + "}}]");
}

struct broken {
  std::string text;
  std::string finding;
};

void expect_findings(const std::vector<broken>& table) {
  for (const broken& each : table) {
    EXPECT_EQ(findings_of(each.text), std::vector<std::string>{each.finding}) << each.text;
  }
}

const std::string at = "resources[0].schema.attributes[0]";
const std::string in_block = "resources[0].schema.blocks[0]";

TEST(CheckSpecification, AValidDocumentHasNoFindings) {
  const std::vector<std::string> right = {
      golden("small.specification.json"),
      golden("hints.specification.json"),
      document(""),
      attribute("object", R"("attribute_types":[{"name":"o","object":{}}])"),
      attribute("list_nested", R"("nested_object":{})"),
      attribute("single_nested", R"("associated_external_type":{"type":"*a.B"})"),
      block("single_nested", ""),
      attributes(""),
  };
  for (const std::string& each : right) {
    EXPECT_EQ(findings_of(each), std::vector<std::string>{}) << each.substr(0, 200);
  }
}

TEST(CheckSpecification, MistakesOfTheDocument) {
  expect_findings({
      {"[]", "the document is not an object"},
      {R"({"version":"0.1.0"})", "lacks provider"},
      {R"({"provider":{"name":"p"}})", "lacks version"},
      {R"({"version":1,"provider":{"name":"p"}})", "version: is not a string"},
      {R"({"version":"","provider":{"name":"p"}})", "version: is not a version such as 0.1"},
      {R"({"version":"0.1.0","provider":"p"})", "provider: is not an object"},
      {R"({"version":"0.1.0","provider":{}})", "provider: lacks name"},
      {R"({"version":"0.1.0","provider":{"name":"P"}})",
       "provider.name: is \"P\"; a name begins with a lower-case letter or _, and has lower-case "
       "letters, digits and _ after it"},
      {document(R"("version":"0.1.0")"), "version: exists twice"},
      {document(R"("resources":{})"), "resources: is not an array"},
      {document(R"("resources":[1])"), "resources[0]: is not an object"},
      {document(R"("resources":[{"name":"r"}])"), "resources[0]: lacks schema"},
      {document(R"("datasources":[{"schema":{"blocks":[]}}])"), "datasources[0]: lacks name"},
      {document(R"("datasources":[{"name":"d","schema":{"blocks":[]}},)"
                R"({"name":"d","schema":{"blocks":[]}}])"),
       "datasources[1].name: is \"d\", and so is one before it"},
      {resource(""), "resources[0].schema: is empty; it needs attributes or blocks"},
      {resource(R"("attributes":{})"), "resources[0].schema.attributes: is not an array"},
  });
}

TEST(CheckSpecification, AnUnknownMemberIsAWarning) {
  expect_findings({
      {document(R"("later":1)"),
       "later: warning: is unknown to version 0.1.0 of the format and is ignored"},
      {resource(R"("attributes":[],"sensitive":true)"),
       "resources[0].schema.sensitive: warning: is only for attributes, and is ignored"},
      {attribute("string", R"("validators":[{"custom":{"schema_definition":""}}])"),
       at + ".string.validators[0].custom.schema_definition: warning: is an empty string"},
      {resource(R"("description":"")"),
       "resources[0].schema: warning: has neither attributes nor blocks"},
      {R"({"version":"0.1.0","provider":{"name":"p","schema":{}}})",
       "provider.schema: warning: has neither attributes nor blocks"},
      {R"({"version":"0.2.0","provider":{"name":"p"}})",
       "version: warning: is \"0.2.0\", but this tofud knows only 0.1.0"},
  });
  const parsed later{document(R"("later":1)")};
  EXPECT_FALSE(has_error(check_specification(later.root())));
}

TEST(CheckSpecification, MistakesOfAttributes) {
  const std::string kinds =
      "; it needs exactly one of bool, dynamic, float64, int64, list, list_nested, map, "
      "map_nested, number, object, set, set_nested, single_nested and string";
  expect_findings({
      {attribute("string", R"("write only":true)"),
       at + ".string[\"write only\"]: is not allowed here by version 0.1.0 of the format"},
      {attributes(R"({"string":{"computed_optional_required":"optional"}})"), at + ": lacks name"},
      {attributes(R"({"name":5,"string":{"computed_optional_required":"optional"}})"),
       at + ".name: is not a string"},
      {attributes(R"({"name":"a"})"), at + ": has none" + kinds},
      {attributes(R"({"name":"a","bool":{"computed_optional_required":"optional"},)"
                  R"("string":{"computed_optional_required":"optional"}})"),
       at + ": has bool and string" + kinds},
      {attributes(R"({"name":"a","string":"optional"})"), at + ".string: is not an object"},
      {attributes(R"({"name":"a","string":{}})"),
       at + ".string: lacks computed_optional_required: computed, computed_optional, optional or "
            "required"},
      {attributes(R"({"name":"a","string":{"computed_optional_required":"maybe"}})"),
       at + ".string.computed_optional_required: is \"maybe\"; it has to be computed, "
            "computed_optional, optional or required"},
      {attributes(R"({"name":"a","string":{"computed_optional_required":true}})"),
       at + ".string.computed_optional_required: is not a string; it has to be computed, "
            "computed_optional, optional or required"},
      {attribute("string", R"("optional_required":"optional")"),
       at + ".string.optional_required: is only for the provider"},
      {attribute("string", R"("sensitive":"yes")"),
       at + ".string.sensitive: is not a boolean: write true or false, without quotes"},
      {attribute("string", R"("description":[])"), at + ".string.description: is not a string"},
      {attribute("list", ""), at + ".list: lacks element_type"},
      {attribute("set", ""), at + ".set: lacks element_type"},
      {attribute("map", ""), at + ".map: lacks element_type"},
      {attribute("object", ""), at + ".object: lacks attribute_types"},
      {attribute("object", R"("attribute_types":[])"), at + ".object.attribute_types: is empty"},
      {attribute("object", R"("attribute_types":{})"),
       at + ".object.attribute_types: is not an array"},
      {attribute("list_nested", ""), at + ".list_nested: lacks nested_object"},
      {attribute("set_nested", ""), at + ".set_nested: lacks nested_object"},
      {attribute("map_nested", ""), at + ".map_nested: lacks nested_object"},
      {attribute("string", R"("element_type":{"bool":{}})"),
       at + ".string.element_type: is only for list, map and set"},
      {attribute("string", R"("attribute_types":[])"),
       at + ".string.attribute_types: is only for object"},
      {attribute("single_nested", R"("nested_object":{})"),
       at + ".single_nested.nested_object: is only for list_nested, map_nested and set_nested"},
      {attribute("list_nested", R"("nested_object":{},"attributes":[])"),
       at + ".list_nested.attributes: is only for schema, single_nested and nested_object"},
      {attribute("single_nested", R"("blocks":[])"),
       at + ".single_nested.blocks: is only for schema, and for single_nested and nested_object of "
            "blocks"},
      {attribute("list_nested", R"("nested_object":{"blocks":[]})"),
       at + ".list_nested.nested_object.blocks: warning: is only for schema, and for "
            "single_nested and nested_object of blocks, and is ignored"},
      {attribute("list_nested", R"("nested_object":{},"associated_external_type":{"type":"x"})"),
       at + ".list_nested.associated_external_type: is not for list_nested, map_nested and "
            "set_nested"},
      {attributes(R"({"name":"a","string":{"computed_optional_required":"optional"}},)"
                  R"({"name":"a","bool":{"computed_optional_required":"optional"}})"),
       "resources[0].schema.attributes[1].name: is \"a\", and so is one before it"},
      {attribute("single_nested", R"("attributes":[{"name":"i","string":{}}])"),
       at + ".single_nested.attributes[0].string: lacks computed_optional_required: computed, "
            "computed_optional, optional or required"},
  });
}

TEST(CheckSpecification, MistakesOfTypesInsideValues) {
  const std::string kinds =
      "; it needs exactly one of bool, float64, int64, list, map, number, object, set and string";
  expect_findings({
      {attribute("list", R"("element_type":{})"), at + ".list.element_type: has none" + kinds},
      {attribute("list", R"("element_type":"string")"),
       at + ".list.element_type: is not an object"},
      {attribute("list", R"("element_type":{"string":{},"map_nested":{}})"),
       at + ".list.element_type.map_nested: is a type that is not allowed here"},
      {attribute("list", R"("element_type":{"list":{}})"),
       at + ".list.element_type.list: lacks element_type"},
      {attribute("list", R"("element_type":{"string":{"element_type":{}}})"),
       at + ".list.element_type.string.element_type: is only for list, map and set"},
      {attribute("object", R"("attribute_types":[{"name":"x"}])"),
       at + ".object.attribute_types[0]: has none; it needs exactly one of bool, dynamic, float64, "
            "int64, list, map, number, object, set and string"},
      {attribute("list", R"("element_type":{"string":{},"dynamic":{}})"),
       at + ".list.element_type.dynamic: is a type that is not allowed here"},
      {attribute("object", R"("attribute_types":[{"bool":{}}])"),
       at + ".object.attribute_types[0]: lacks name"},
      {attribute("object", R"("attribute_types":[{"name":"x","bool":{}},{"name":"x","bool":{}}])"),
       at + ".object.attribute_types[1].name: is \"x\", and so is one before it"},
  });
}

TEST(CheckSpecification, MistakesOfBlocks) {
  const std::string kinds = "; it needs exactly one of list_nested, set_nested and single_nested";
  expect_findings({
      {resource(R"("blocks":[{"name":"b"}])"), in_block + ": has none" + kinds},
      {resource(R"("blocks":[{"name":"b","single_nested":{},"map_nested":{}}])"),
       in_block + ".map_nested: is a type that is not allowed here"},
      {block("list_nested", ""), in_block + ".list_nested: lacks nested_object"},
      {block("set_nested", R"("nested_object":{},"attributes":[])"),
       in_block + ".set_nested.attributes: is only for schema, single_nested and nested_object"},
      {block("single_nested", R"("sensitive":true)"),
       in_block + ".single_nested.sensitive: is only for attributes"},
      {block("single_nested", R"("computed_optional_required":"optional")"),
       in_block + ".single_nested.computed_optional_required: is only for attributes"},
      {resource(R"("blocks":[{"name":"b","single_nested":{}},{"name":"b","single_nested":{}}])"),
       "resources[0].schema.blocks[1].name: is \"b\", and so is one before it"},
      {resource(R"("attributes":[{"name":"b","string":{"computed_optional_required":"optional"}}],)"
                R"("blocks":[{"name":"b","single_nested":{}}])"),
       in_block + ".name: is \"b\", and so is an attribute beside it"},
  });
}

TEST(CheckSpecification, MistakesOfDefaultsAndCode) {
  const std::string either = "; it needs exactly one of static and custom";
  expect_findings({
      {attribute("bool", R"("default":{"static":"true"})"),
       at + ".bool.default.static: is not a boolean: write true or false, without quotes"},
      {attribute("int64", R"("default":{"static":"1"})"),
       at + ".int64.default.static: is not a number"},
      {attribute("string", R"("default":{"static":1})"),
       at + ".string.default.static: is not a string"},
      {attribute("string", R"("default":{})"), at + ".string.default: has none" + either},
      {attribute("string", R"("default":{"static":"","custom":{"schema_definition":"x"}})"),
       at + ".string.default: has static and custom" + either},
      {attribute("list", R"("element_type":{"bool":{}},"default":{})"),
       at + ".list.default: lacks custom"},
      {attribute(
           "list",
           R"("element_type":{"bool":{}},"default":{"static":[],"custom":{"schema_definition":"x"}})"),
       at + ".list.default.static: warning: is only for bool, float64, int64 and string, and is "
            "ignored"},
      {attribute("string", R"("validators":[{}])"), at + ".string.validators[0]: lacks custom"},
      {attribute("string", R"("plan_modifiers":[{"custom":{}}])"),
       at + ".string.plan_modifiers[0].custom: lacks schema_definition"},
      {attribute("string",
                 R"("plan_modifiers":[{"custom":{"schema_definition":"x","imports":[{}]}}])"),
       at + ".string.plan_modifiers[0].custom.imports[0]: lacks path"},
      {attribute("string", R"("custom_type":{"type":"a.B"})"),
       at + ".string.custom_type: lacks value_type"},
      {attribute("string", R"("custom_type":{"value_type":"a.B"})"),
       at + ".string.custom_type: lacks type"},
      {attribute("single_nested", R"("associated_external_type":{"import":{"path":"p"}})"),
       at + ".single_nested.associated_external_type: lacks type"},
      {attribute("single_nested",
                 R"("associated_external_type":{"type":"t","import":{"path":"p","alias":1}})"),
       at + ".single_nested.associated_external_type.import.alias: is not a string"},
  });
}

TEST(CheckSpecification, PlacesAreInheritedByWhatIsNested) {
  const std::string data = R"("datasources":[{"name":"d","schema":{"attributes":[{"name":"n",)"
                           R"("list_nested":{"computed_optional_required":"computed",)"
                           R"("nested_object":{"attributes":[{"name":"x","string":)";
  const std::string in = "datasources[0].schema.attributes[0].list_nested.nested_object";
  expect_findings({
      {document(data +
                R"({"computed_optional_required":"computed","default":{"static":"x"}}}]}}}]}}])"),
       in + ".attributes[0].string.default: is only for resources"},
      {document(data + R"({"computed_optional_required":"computed"}}],"plan_modifiers":[]}}}]}}])"),
       in + ".plan_modifiers: warning: is only for resources, and is ignored"},
      {R"({"version":"0.1.0","provider":{"name":"p","schema":{"attributes":[)"
       R"({"name":"a","string":{"optional_required":"optional","computed_optional_required":"optional"}}]}}})",
       "provider.schema.attributes[0].string.computed_optional_required: is only for resources and "
       "data sources"},
      {R"({"version":"0.1.0","provider":{"name":"p","schema":{"attributes":[)"
       R"({"name":"a","string":{"optional_required":"computed"}}]}}})",
       "provider.schema.attributes[0].string.optional_required: is \"computed\"; it has to be "
       "optional or required"},
  });
}

// Every type of an attribute with what it needs beside its flag.
struct attribute_kind {
  std::string word, needs;
};

const std::vector<attribute_kind>& attribute_kinds() {
  const std::string element = R"(,"element_type":{"bool":{}})", object = R"(,"nested_object":{})";
  static const std::vector<attribute_kind> all = {
      {"bool", ""},          {"dynamic", ""},
      {"float64", ""},       {"int64", ""},
      {"list", element},     {"list_nested", object},
      {"map", element},      {"map_nested", object},
      {"number", ""},        {"object", R"(,"attribute_types":[{"name":"o","bool":{}}])"},
      {"set", element},      {"set_nested", object},
      {"single_nested", ""}, {"string", ""}};
  return all;
}

struct attribute_place {
  std::string before, path, after, flag;
};

const attribute_place in_provider{R"({"version":"0.1.0","provider":{"name":"p","schema":)",
                                  "provider.schema", "}}", "optional_required"};
const attribute_place in_data_source{
    R"({"version":"0.1.0","provider":{"name":"p"},"datasources":[{"name":"d","schema":)",
    "datasources[0].schema", "}]}", "computed_optional_required"};
const attribute_place in_resource{
    R"({"version":"0.1.0","provider":{"name":"p"},"resources":[{"name":"r","schema":)",
    "resources[0].schema", "}]}", "computed_optional_required"};

TEST(CheckSpecification, EachTypeOfAttributeIsCheckedAtItsPlace) {
  const std::string code = R"({"custom":{"schema_definition":"x"}})";
  const auto findings = [](const attribute_place& in, const attribute_kind& of,
                           const std::string& members) {
    return findings_of(in.before + R"({"attributes":[{"name":"a",")" + of.word + R"(":{)" +
                       members + of.needs + "}}]}" + in.after);
  };
  using lines = std::vector<std::string>;
  for (const attribute_kind& each : attribute_kinds()) {
    for (const attribute_place& in : {in_provider, in_data_source, in_resource}) {
      const bool resource = in.path == in_resource.path, provider = in.path == in_provider.path;
      const std::string flag = "\"" + in.flag + R"(":"required")";
      const std::string where = in.path + ".attributes[0]." + each.word;
      EXPECT_EQ(findings(in, each, flag), lines{}) << where;
      EXPECT_EQ(findings(in, each, R"("description":"d")"),
                lines{where + ": lacks " + in.flag +
                      (provider ? ": optional or required"
                                : ": computed, computed_optional, optional or required")});
      const std::string other = provider ? "computed_optional_required" : "optional_required";
      EXPECT_EQ(findings(in, each, flag + ",\"" + other + R"(":"required")"),
                lines{where + "." + other +
                      (provider ? ": is only for resources and data sources"
                                : ": is only for the provider")});
      EXPECT_EQ(findings(in, each, flag + R"(,"sensitive":1)"),
                lines{where + ".sensitive: is not a boolean: write true or false, without quotes"});
      EXPECT_EQ(findings(in, each, flag + R"(,"deprecation_message":true)"),
                lines{where + ".deprecation_message: is not a string"});
      EXPECT_EQ(findings(in, each, flag + R"(,"validators":{})"),
                lines{where + ".validators: is not an array"});
      EXPECT_EQ(findings(in, each, flag + R"(,"custom_type":{"type":"t"})"),
                lines{where + ".custom_type: lacks value_type"});
      const std::string misplaced = ": is only for resources";
      EXPECT_EQ(findings(in, each, flag + R"(,"default":)" + code),
                resource ? lines{} : lines{where + ".default" + misplaced});
      EXPECT_EQ(findings(in, each, flag + R"(,"plan_modifiers":[)" + code + "]"),
                resource ? lines{} : lines{where + ".plan_modifiers" + misplaced});
    }
  }
}

TEST(CheckSpecification, DefaultsFitTheirType) {
  for (const attribute_kind& each : attribute_kinds()) {
    const bool number = each.word == "float64" || each.word == "int64";
    const bool simple = number || each.word == "bool" || each.word == "string";
    for (const std::string value : {"true", "1.5", R"("x")", "null", "[]"}) {
      const bool fits = (value == "true" && each.word == "bool") || (value == "1.5" && number) ||
                        (value == R"("x")" && each.word == "string");
      const auto found =
          findings_of(attribute(each.word, R"("default":{"static":)" + value + "}" + each.needs));
      if (fits) {
        EXPECT_EQ(found, std::vector<std::string>{}) << each.word << value;
        continue;
      }
      const std::string where =
          at + "." + each.word + (simple ? ".default.static: is not a" : ".default");
      ASSERT_FALSE(found.empty()) << each.word << value;
      EXPECT_TRUE(found.front().starts_with(where)) << found.front();
    }
  }
}

TEST(CheckSpecification, FindingsComeInTheOrderOfTheDocument) {
  EXPECT_EQ(findings_of(R"({"version":3,"provider":{"name":"P!"},"resources":[{"schema":{}}]})"),
            (std::vector<std::string>{
                "version: is not a string",
                "provider.name: is \"P!\"; a name begins with a lower-case letter or _, and has "
                "lower-case letters, digits and _ after it",
                "resources[0].schema: is empty; it needs attributes or blocks",
                "resources[0]: lacks name"}));
}

TEST(CheckSpecification, StopsWhenItsReceiverReturnsFalse) {
  std::string many = R"("resources":[)";
  for (std::size_t i = 0; i < limits::schema_findings + 10; ++i) many += "1,";
  const auto found = findings_of(document(many + "1]"));
  EXPECT_EQ(found.size(), limits::schema_findings);
  EXPECT_EQ(found.back(), "resources[999]: and there is more");
}

TEST(ReadSpecification, GivesTheSameModelAsTheProviderSchema) {
  const parsed specified{golden("small.specification.json")},
      exported{golden("small.schemas.json")};
  const auto from_specification = read_specification(specified.root());
  const auto from_schemas = read_provider_schemas(exported.root());
  ASSERT_TRUE(from_schemas) << from_schemas.error().text();
  const auto& expected = from_schemas->providers.at("registry.opentofu.org/examples/small");
  const auto& found = from_specification.types;
  EXPECT_EQ(from_specification.provider_name, "small");
  EXPECT_EQ(found.configuration, expected.configuration);
  EXPECT_EQ(found.resources, expected.resources)
      << describe("", found.resources.at("small_thing"), 80)
      << describe("", expected.resources.at("small_thing"), 80);
  EXPECT_EQ(found.data_sources, expected.data_sources);
  // Twenty-one members in all, so that neither is empty.
  EXPECT_EQ(found.resources.at("small_thing").block.attributes.size(), 13U);
  EXPECT_EQ(found.resources.at("small_thing").block.blocks.size(), 3U);
}

TEST(ReadSpecification, PlanModifiersAndDefaultsAreHints) {
  const parsed document{golden("hints.specification.json")};
  const auto found = read_specification(document.root());
  const auto& of = found.types.resources.at("hints_thing").block;
  const auto replaced = [&of](std::string_view name) {
    return find_attribute(of.attributes, name)->replacement;
  };
  EXPECT_EQ(replaced("always"), replacement::certain);
  EXPECT_EQ(replaced("if_configured"), replacement::possible);
  EXPECT_EQ(replaced("if_something"), replacement::possible);
  EXPECT_EQ(replaced("both"), replacement::certain);
  EXPECT_EQ(replaced("other_name"), replacement::unsaid);
  EXPECT_EQ(replaced("nested"), replacement::possible);
  EXPECT_EQ(find_block(of, "block")->replacement, replacement::certain);
  EXPECT_EQ(find_attribute(of.attributes, "always")->default_value, R"("a \"quoted\" text")");
  EXPECT_EQ(find_attribute(of.attributes, "if_configured")->default_value, "1.50");
  EXPECT_EQ(find_attribute(of.attributes, "both")->default_value, "");
}

TEST(DescribeSchema, ListsTypesFlagsNestingAndDescriptions) {
  const parsed document{golden("hints.specification.json")};
  const auto found = read_specification(document.root());
  EXPECT_EQ(describe("resource hints_thing", found.types.resources.at("hints_thing"), 60),
            golden("hints.txt"));
}

TEST(DescribeSchema, ControlCharactersArePictures) {
  object_schema of;
  of.block.description = "a\x1b[31mb";
  schema::attribute one;
  one.name = "n\x07";
  of.block.attributes.push_back(one);
  const std::string text = describe("t\x1b", of, 60);
  EXPECT_EQ(text, "t␛\n  a␛[31mb\n\n  n␇  any\n");
}

}  // namespace
}  // namespace tofud::schema
