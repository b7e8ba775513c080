#include "protocol/attachments/config_facts.hpp"

#include <gtest/gtest.h>

namespace tofud::attachments {
namespace {

config::configuration written() {
  return config::read_configuration(
      config::read_manifest("modules.json", R"({"Modules":[]})"), [](const std::string& directory) {
        config::source_directory found;
        if (directory == ".")
          found.files.push_back({"main.tf", R"(module "m" {
  source = "./m"
}
resource "a" "b" {
  lifecycle { create_before_destroy = true }
  provisioner "local-exec" {}
  provisioner "remote-exec" { on_failure = continue }
  provisioner "local-exec" { when = destroy }
  depends_on = [module.m]
})"});
        if (directory == "m")
          found.files.push_back({"x.tf.json", R"({"resource":{"a":{"c":{}}}})"});
        return found;
      });
}

TEST(ConfigFacts, AreReadAsTheyWereWritten) {
  const auto configuration = written();
  const auto facts = config_facts::read(to_json(configuration));
  ASSERT_TRUE(facts) << facts.error().text();
  const auto* block = facts->find("a.b[0]");
  ASSERT_NE(block, nullptr);
  const auto* source = configuration.find("a.b");
  EXPECT_EQ(block->file, "main.tf");
  EXPECT_EQ(block->line, source->at.at.line);
  EXPECT_EQ(block->column, source->at.at.column);
  EXPECT_EQ(block->create_before_destroy, source->create_before_destroy);
  ASSERT_EQ(block->provisioners.size(), 3);
  EXPECT_EQ(block->provisioners_at(config::provision_time::create), 2);
  EXPECT_EQ(block->provisioners_at(config::provision_time::destroy), 1);
  EXPECT_EQ(block->provisioners[1].type, "remote-exec");
  EXPECT_EQ(block->provisioners[1].failing, config::on_failure::go_on);
  EXPECT_EQ(block->references, source->references);
  ASSERT_NE(facts->find("module.m[\"k\"].a.c"), nullptr);
  EXPECT_EQ(facts->find("module.m[\"k\"].a.c")->file, "m/x.tf.json");
  EXPECT_EQ(facts->find("a.z"), nullptr);
  EXPECT_EQ(facts->find("no address"), nullptr);
}

TEST(ConfigFacts, HaveProvidersKeysAndVersions) {
  auto configuration = config::read_configuration(
      config::read_manifest("modules.json", "{}"), [](const std::string&) {
        config::source_directory found;
        found.files.push_back({"main.tf", R"(resource "a" "b" {
  provider = aws.west
  x        = c.d["k"].id
}
module "m" {
  source    = "./none"
  providers = { aws = aws.west }
})"});
        return found;
      });
  configuration.providers = {{"example.com/hashicorp/aws", "5.1.0"},
                             {"example.com/hashicorp/null", "3.2.4"},
                             {"example.com/other/null", "1.0.0"}};
  const auto facts = config_facts::read(to_json(configuration));
  ASSERT_TRUE(facts) << facts.error().text();
  EXPECT_TRUE(facts->has_order());
  EXPECT_EQ(facts->find("a.b")->provider, "aws.west");
  EXPECT_EQ(facts->find("a.b")->references.at(0).target, "c.d[\"k\"]");
  EXPECT_EQ(facts->blocks().at("module.m").providers.at(0).is, "aws.west");
  ASSERT_NE(facts->provider("aws"), nullptr);
  EXPECT_EQ(facts->provider("aws")->version, "5.1.0");
  EXPECT_EQ(facts->provider("null"), nullptr);  // there are two
}

TEST(ConfigFacts, OfTheVersionBeforeTellNoOrder) {
  const auto facts = config_facts::read(
      R"({"format":"tofud.config.v1","blocks":[{"address":"a.b","file":"x","line":1}]})");
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->has_order());
  EXPECT_NE(facts->find("a.b"), nullptr);
}

std::string words_of(const feed::annotations& said) {
  const auto expect = said.expect ? " " + std::to_string(said.expect->count()) : "";
  return std::string{said.owner} + " " + std::string{said.runbook} + expect;
}

TEST(ConfigFacts, ABlockWithoutAnAnnotationHasThatOfTheNearestModule) {
  const auto configuration = config::read_configuration(
      config::read_manifest("modules.json", R"({"Modules":[]})"), [](const std::string& directory) {
        config::source_directory found;
        if (directory == ".")
          found.files.push_back({"main.tf",
                                 "# tofud: owner=@net runbook=https://net expect=1h\n"
                                 "module \"net\" { source = \"./net\" }\nresource \"a\" \"b\" {}"});
        if (directory == "net")
          found.files.push_back({"main.tf",
                                 "# tofud: owner=@sub\nmodule \"sub\" { source = \"../sub\" }\n"
                                 "resource \"a\" \"b\" {}"});
        if (directory == "sub")
          found.files.push_back({"main.tf",
                                 "# tofud: expect=5s\nresource \"a\" \"b\" {}\n"
                                 "resource \"a\" \"c\" {}"});
        return found;
      });
  const auto facts = config_facts::read(to_json(configuration));
  ASSERT_TRUE(facts) << facts.error().text();
  const auto said = [&](std::string_view address) { return words_of(facts->annotated(address)); };
  EXPECT_EQ(said("module.net[\"k\"].module.sub[0].a.b[1]"), "@sub https://net 5");
  EXPECT_EQ(said("module.net.module.sub.a.c"), "@sub https://net 3600");
  EXPECT_EQ(said("module.net.module.sub"), "@sub https://net 3600");
  EXPECT_EQ(said("module.net.a.b"), "@net https://net 3600");
  EXPECT_EQ(said("a.b"), " ");
  EXPECT_EQ(said("no address"), " ");
}

TEST(ConfigFacts, TakeNoAnnotationThatAConfigurationCouldNotHave) {
  const auto facts = config_facts::read(
      R"x({"format":"tofud.config.v2","blocks":[{"address":"a.b","file":"x","line":1,"annotations":
      {"owner":1,"runbook":"javascript:alert(1)","expect_s":99999999}}]})x");
  ASSERT_TRUE(facts) << facts.error().text();
  EXPECT_EQ(words_of(facts->annotated("a.b")), " ");
}

TEST(ConfigFacts, BrokenDocumentNamesThePlace) {
  const auto failure = [](std::string_view text) {
    const auto read = config_facts::read(text);
    return read ? "" : read.error().text();
  };
  EXPECT_EQ(failure("[]"),
            "format is not tofud.config.v2; use the output of `tofud blocks --json`");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v2"})"), "blocks is not an array");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v2","blocks":[{"file":"x"}]})"),
            "blocks[0].address is not a string");
  EXPECT_EQ(
      failure(R"({"format":"tofud.config.v2","blocks":[{"address":"a.b","file":"x","line":0}]})"),
      "blocks[0].line is not a number from 1");
  EXPECT_NE(failure("{"), "");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v2","blocks":[],"new":1})"), "");
}

}  // namespace
}  // namespace tofud::attachments
