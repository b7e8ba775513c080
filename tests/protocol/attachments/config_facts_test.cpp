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
  ASSERT_TRUE(facts) << facts.error();
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

TEST(ConfigFacts, ThatAreBrokenSayWhere) {
  const auto failure = [](std::string_view text) {
    const auto read = config_facts::read(text);
    return read ? "" : read.error();
  };
  EXPECT_EQ(failure("[]"),
            "format is not tofud.config.v1; `tofud blocks --json` writes such a document");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v1"})"), "blocks is no array");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v1","blocks":[{"file":"x"}]})"),
            "blocks[0].address is no string");
  EXPECT_EQ(
      failure(R"({"format":"tofud.config.v1","blocks":[{"address":"a.b","file":"x","line":0}]})"),
      "blocks[0].line is no number from 1 on");
  EXPECT_NE(failure("{"), "");
  EXPECT_EQ(failure(R"({"format":"tofud.config.v1","blocks":[],"new":1})"), "");
}

}  // namespace
}  // namespace tofud::attachments
