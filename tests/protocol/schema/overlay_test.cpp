#include "protocol/schema/overlay.hpp"

#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/specification.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

namespace tofud::schema {
namespace {

constexpr const char* address = "registry.opentofu.org/acme/acme";

schemas provider_with(const std::string& block, const std::string& of = address) {
  const parsed document{R"({"format_version":"1.0","provider_schemas":{")" + of +
                        R"(":{"resource_schemas":{"acme_db":{"version":3,"block":)" + block +
                        "}}}}}"};
  auto read = read_provider_schemas(document.root());
  EXPECT_TRUE(read) << read.error().text();
  return read ? *read : schemas{};
}

schemas specified_as(const std::string& schema) {
  const parsed document{R"({"version":"0.1","provider":{"name":"acme"},"resources":[{"name":"db",)"
                        R"("schema":{)" +
                        schema + "}}]}"};
  const auto findings = check_specification(document.root());
  EXPECT_FALSE(has_error(findings)) << (findings.empty() ? "" : to_string(findings.front()));
  specification read = read_specification(document.root());
  schemas all;
  all.providers.emplace(read.provider_name, std::move(read.types));
  return all;
}

/// A string attribute with these members beside its name and whether it is needed.
std::string written(const std::string& name, const std::string& members = "") {
  return R"({"name":")" + name + R"(","string":{"computed_optional_required":"optional")" +
         (members.empty() ? "" : "," + members) + "}}";
}

struct laid {
  laid(const std::string& block, const std::string& schema) : all{provider_with(block)} {
    lay_over(all, specified_as(schema));
  }
  const block& body() const { return all.find(address, mode::managed, "acme_db")->block; }
  const attribute& of(std::string_view name) const {
    return *find_attribute(body().attributes, name);
  }

  schemas all;
};

TEST(Overlay, AddsMissingDescriptions) {
  const laid over{
      R"({"attributes":{"token":{"type":"string","optional":true,"description":"old"},)"
      R"("size":{"type":"number","required":true,"sensitive":true,"description":"kept"}}})",
      R"("attributes":[)" +
          written("token",
                  R"("sensitive":true,"description":"new","deprecation_message":"use key",)"
                  R"("default":{"static":"none"},)"
                  R"j("plan_modifiers":[{"custom":{"schema_definition":"x.RequiresReplace()"}}],)j"
                  R"j("validators":[{"custom":{"schema_definition":"v.LengthAtLeast(8)"}}])j") +
          R"(,{"name":"size","int64":{"computed_optional_required":"required"}}])"};
  const attribute& token = over.of("token");
  EXPECT_TRUE(token.sensitive);
  EXPECT_TRUE(token.deprecated);
  EXPECT_TRUE(token.optional);
  EXPECT_EQ(token.description, "new");
  EXPECT_EQ(token.deprecation_message, "use key");
  EXPECT_EQ(token.default_value, R"("none")");
  EXPECT_EQ(token.replacement, replacement::certain);
  EXPECT_EQ(token.validators, std::vector<std::string>{"v.LengthAtLeast(8)"});
  EXPECT_TRUE(over.of("size").sensitive);
  EXPECT_EQ(over.of("size").description, "kept");
  EXPECT_EQ(over.all.find(address, mode::managed, "acme_db")->version, 3U);
}

TEST(Overlay, AddsNothingToTheShapeOfAProvider) {
  const laid over{
      R"({"attributes":{"a":{"type":"string"}}})",
      R"("attributes":[)" + written("a") + "," + written("b", R"("sensitive":true)") + "]"};
  EXPECT_EQ(over.body().attributes.size(), 1U);
  // Under its name it is there as a whole.
  EXPECT_EQ(over.all.find("acme", mode::managed, "acme_db")->block.attributes.size(), 2U);
}

TEST(Overlay, GoesAsDeepAsBothDo) {
  const std::string secret = R"("attributes":[)" + written("key", R"("sensitive":true)") + "]";
  const laid over{
      R"({"attributes":{"auth":{"nested_type":{"nesting_mode":"list","attributes":{"key":{"type":"string"}}}}},)"
      R"("block_types":{"login":{"nesting_mode":"set","block":{"attributes":{"key":{"type":"string"}}}}}})",
      R"("attributes":[{"name":"auth","list_nested":{"computed_optional_required":"optional",)"
      R"("nested_object":{)" +
          secret + R"(}}}],"blocks":[{"name":"login","set_nested":{"nested_object":{)" + secret +
          "}}}]"};
  EXPECT_TRUE(find_attribute(over.of("auth").nested->attributes, "key")->sensitive);
  EXPECT_TRUE(find_attribute(find_block(over.body(), "login")->block.attributes, "key")->sensitive);
}

TEST(Overlay, KnowsBlocksThatAreWrittenAsAttributes) {
  const std::string secret = R"("attributes":[)" + written("key", R"("sensitive":true)") + "]";
  const laid nested{
      R"({"block_types":{"login":{"nesting_mode":"list","block":{"attributes":{"key":{"type":"string"}}}}}})",
      R"("attributes":[{"name":"login","list_nested":{"computed_optional_required":"optional",)"
      R"("nested_object":{)" +
          secret + "}}}]"};
  EXPECT_TRUE(
      find_attribute(find_block(nested.body(), "login")->block.attributes, "key")->sensitive);
  const laid block{
      R"({"attributes":{"login":{"nested_type":{"nesting_mode":"list","attributes":{"key":{"type":"string"}}}}}})",
      R"("blocks":[{"name":"login","list_nested":{"nested_object":{)" + secret + "}}}]"};
  EXPECT_TRUE(find_attribute(block.of("login").nested->attributes, "key")->sensitive);
}

TEST(Overlay, HidesTheWholeWhereASecretIsInsideAPlainValue) {
  const std::string secret = R"("attributes":[)" + written("key", R"("sensitive":true)") + "]";
  const laid over{
      R"({"attributes":{"login":{"type":["list",["object",{"key":"string"}]]}}})",
      R"("blocks":[{"name":"login","list_nested":{"nested_object":{)" + secret + "}}}]"};
  EXPECT_TRUE(over.of("login").sensitive);
}

TEST(Overlay, HidesABlockThatIsASensitiveAttribute) {
  const laid over{
      R"({"block_types":{"login":{"nesting_mode":"list","block":{"attributes":{"key":{"type":"string"}}}}}})",
      R"("attributes":[{"name":"login","list":{"computed_optional_required":"optional","sensitive":true,)"
      R"("element_type":{"string":{}}}}])"};
  EXPECT_TRUE(find_attribute(find_block(over.body(), "login")->block.attributes, "key")->sensitive);
}

TEST(Overlay, LiesOverEveryProviderOfThatNameAndNoOther) {
  schemas all = provider_with(R"({"attributes":{"a":{"type":"string"}}})");
  const std::string other = "registry.opentofu.org/acme/other";
  all.providers[other] = all.providers[address];
  all.providers["example.com/x/acme"] = all.providers[address];
  lay_over(all, specified_as(R"("attributes":[)" + written("a", R"("sensitive":true)") + "]"));
  const auto is_secret = [&](const std::string& provider) {
    return all.find(provider, mode::managed, "acme_db")->block.attributes.front().sensitive;
  };
  EXPECT_TRUE(is_secret(address));
  EXPECT_TRUE(is_secret("example.com/x/acme"));
  EXPECT_FALSE(is_secret(other));
}

TEST(Overlay, LaterSpecificationWinsAndSecretsStay) {
  schemas all;
  lay_over(all, specified_as(R"("attributes":[)" +
                             written("a", R"("sensitive":true,"description":"one")") + "]"));
  lay_over(all, specified_as(R"("attributes":[)" + written("a", R"("description":"two")") + "]"));
  const attribute& a = all.find("acme", mode::managed, "acme_db")->block.attributes.front();
  EXPECT_TRUE(a.sensitive);
  EXPECT_EQ(a.description, "two");
}

void expect_same_when_written(const schemas& all) {
  const std::string text = write_provider_schemas(all);
  const parsed document{text};
  const auto read = read_provider_schemas(document.root());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, all);
  EXPECT_EQ(write_provider_schemas(*read), text);
}

TEST(WrittenSchemas, AreTheSameWhenTheyAreRead) {
  for (const char* name : {"recordings.json.gz", "small.schemas.json"}) {
    const parsed document{golden(name)};
    const auto all = read_provider_schemas(document.root());
    ASSERT_TRUE(all) << all.error().text();
    ASSERT_FALSE(all->providers.empty());
    expect_same_when_written(*all);
  }
}

TEST(WrittenSchemas, HaveMembersThatOnlyASpecificationHas) {
  const parsed document{golden("small.specification.json")};
  specification read = read_specification(document.root());
  schemas all;
  all.providers.emplace(read.provider_name, std::move(read.types));
  expect_same_when_written(all);
  expect_same_when_written(
      laid{R"({"attributes":{"a":{"type":"string"}},"block_types":{"b":{"nesting_mode":"map",)"
           R"("block":{},"min_items":1,"max_items":2}}})",
           R"("attributes":[)" + written("a", R"("default":{"static":"x\"y"})") +
               R"(],"blocks":[{"name":"b","list_nested":{"nested_object":{"plan_modifiers":)"
               R"j([{"custom":{"schema_definition":"m.RequiresReplaceIf(f)"}}],)j"
               R"j("validators":[{"custom":{"schema_definition":"v.SizeAtMost(2)"}}]}}}])j"}
          .all);
}

}  // namespace
}  // namespace tofud::schema
