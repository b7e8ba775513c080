// Rules of the order that no recording has; the rest is judged in tests/causality.
#include "protocol/order/build.hpp"

#include "protocol/config/configuration.hpp"
#include "protocol/order/drawing.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/order/progress.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tofud::order {
namespace {

attachments::config_facts configured(std::map<std::string, std::string> files) {
  const auto read = config::read_configuration(
      config::read_manifest("modules.json", "{}"), [&](const std::string& directory) {
        config::source_directory found;
        if (const auto text = files.find(directory); text != files.end())
          found.files.push_back({"main.tf", text->second});
        return found;
      });
  return *attachments::config_facts::read(attachments::to_json(read));
}

planned_object made(const std::string& address) {
  planned_object each;
  each.address = address;
  each.makes = true;
  return each;
}
planned_object removed(const std::string& address) {
  planned_object each;
  each.address = address;
  each.removes = true;
  return each;
}

/// "a.b waits for a.a, a.c" of every operation, at the beginning.
std::map<std::string, std::set<std::string>> waits(const order& of) {
  std::map<std::string, std::set<std::string>> all;
  const progress begun{of};
  const auto name = [&](vertex at) {
    const operation& what = *of.at(at);
    return (what.what == effect::make ? "" : "-") + what.address;
  };
  for (const vertex each : of.operations()) {
    auto& found = all[name(each)];
    for (const vertex before : begun.waits_for(each)) found.insert(name(before));
  }
  return all;
}

using set = std::set<std::string>;

TEST(Order, WithoutAConfigurationAndAStateNothingIsSaid) {
  const order made_of = build({made("a.a"), made("a.b")}, {});
  EXPECT_EQ(made_of.edges(), 0U);
  const auto facts = attachments::config_facts::read(
      R"({"format":"tofud.config.v1","blocks":[{"address":"a.b","file":"x","line":1,)"
      R"("references":[{"argument":"x","target":"a.a"}]}]})");
  EXPECT_EQ(build({made("a.a"), made("a.b")}, {&*facts}).edges(), 0U);  // it has no keys
}

TEST(Order, WhatAProviderIsConfiguredFromComesBeforeAllOfIt) {
  const auto facts = configured({{".", R"(
provider "k" { host = cloud_cluster.main.host }
provider "k" {
  alias = "west"
  host  = cloud_cluster.west.host
}
resource "k_pod" "a" {}
resource "k_pod" "b" { provider = k.west }
module "m" {
  source    = "./m"
  providers = { k = k.west }
}
module "n" { source = "./m" }
)"},
                                 {"m", "resource \"k_pod\" \"c\" {}\n"}});
  const auto found = waits(build(
      {made("cloud_cluster.main"), made("cloud_cluster.west"), made("k_pod.a"), made("k_pod.b"),
       made("module.m.k_pod.c"), made("module.n.k_pod.c"), removed("k_pod.gone")},
      {&facts}));
  EXPECT_EQ(found.at("k_pod.a"), set{"cloud_cluster.main"});
  EXPECT_EQ(found.at("k_pod.b"), set{"cloud_cluster.west"});
  EXPECT_EQ(found.at("module.m.k_pod.c"), set{"cloud_cluster.west"});
  EXPECT_EQ(found.at("module.n.k_pod.c"), set{"cloud_cluster.main"});
  EXPECT_EQ(found.at("-k_pod.gone"), set{"cloud_cluster.main"});
}

TEST(Order, ManyBehindManyTakeAsManyEdgesAsThereAreOfThem) {
  const auto facts = configured({{".", R"(
resource "a" "a" { count = 5000 }
resource "a" "b" {
  count = 5000
  x     = a.a[*].id
})"}});
  std::vector<planned_object> planned;
  for (int i = 0; i < 5000; ++i) {
    planned.push_back(made("a.a[" + std::to_string(i) + "]"));
    planned.push_back(made("a.b[" + std::to_string(i) + "]"));
  }
  const order made_of = build(planned, {&facts});
  EXPECT_LT(made_of.edges(), 20'100U);
  const progress begun{made_of};
  EXPECT_EQ(begun.waits_for(made_of.operations().back()).size(), 5000U);
}

TEST(Order, ACircleEndsAndStandsInNobodysWay) {
  const auto facts = configured({{".", R"(
locals {
  x = local.y
  y = [local.x, a.b.id]
}
resource "a" "b" { v = a.c.id }
resource "a" "c" { v = local.x }
)"}});
  const auto found = waits(build({made("a.b"), made("a.c")}, {&facts}));
  EXPECT_EQ(found.size(), 2U);
}

TEST(Order, InstancesOfAModuleWaitByThemselvesWhereTheProgramDoesSo) {
  const auto facts =
      configured({{".", "module \"m\" {\n  source = \"./m\"\n  count = 2\n}\n"}, {"m", R"(
resource "a" "a" {}
resource "a" "b" { v = a.a.id }
resource "a" "c" { v = local.x }
resource "a" "d" { count = a.a.n }
resource "a" "e" { v = a.b.id }
locals { x = a.a.id }
)"}});
  std::vector<planned_object> planned;
  for (const char* module : {"module.m[0].", "module.m[1]."}) {
    for (const char* name : {"a.a", "a.b", "a.c", "a.e"})
      planned.push_back(made(std::string{module} + name));
    planned.push_back(made(std::string{module} + "a.d[0]"));
  }
  const set both{"module.m[0].a.a", "module.m[1].a.a"};
  const auto whole = waits(build(planned, {&facts}));
  EXPECT_EQ(whole.at("module.m[0].a.b"), both);
  const auto apart = waits(build(planned, {&facts, nullptr, waiting_by::module_instance}));
  EXPECT_EQ(apart.at("module.m[0].a.b"), set{"module.m[0].a.a"});
  EXPECT_EQ(apart.at("module.m[1].a.b"), set{"module.m[1].a.a"});
  EXPECT_EQ(apart.at("module.m[0].a.c"), both);
  EXPECT_EQ(apart.at("module.m[0].a.d[0]"), set{"module.m[0].a.a"});
  // Behind its own a.b, and behind all that the block a.b waits for.
  EXPECT_EQ(apart.at("module.m[0].a.e"), (set{"module.m[0].a.b", "module.m[1].a.a"}));
}

TEST(Order, AKeyOfWhichNothingIsMadeStandsForAll) {
  const auto facts = configured({{".", R"(
resource "a" "a" { count = 3 }
resource "a" "b" { v = a.a[2].id }
resource "a" "c" { v = a.a[1].id }
)"}});
  const auto order =
      waits(build({made("a.a[0]"), made("a.a[1]"), made("a.b"), made("a.c")}, {&facts}));
  EXPECT_EQ(order.at("a.b"), (set{"a.a[0]", "a.a[1]"}));
  EXPECT_EQ(order.at("a.c"), set{"a.a[1]"});
}

TEST(OrderDrawing, KeepsTheGroupsThatSaveEdgesAndNamesOrigins) {
  const auto facts = configured({{".", R"(
resource "a" "a" { count = 3 }
resource "a" "b" {
  count = 3
  x     = a.a[*].id
}
resource "a" "c" { x = local.l }
locals { l = a.b[0].id }
)"}});
  std::vector<planned_object> planned{made("a.c")};
  for (const char* key : {"[0]", "[1]", "[2]"}) {
    planned.push_back(made("a.a" + std::string{key}));
    planned.push_back(made("a.b" + std::string{key}));
  }
  const order made_of = build(planned, {&facts});
  const std::string json = to_json(made_of);
  EXPECT_NE(json.find("\"group\""), std::string::npos) << json;
  EXPECT_EQ(json.find("local.l"), std::string::npos) << json;  // one edge each way
  EXPECT_NE(json.find("\"origin\":\"configuration\""), std::string::npos);
  const std::string dot = to_dot(made_of);
  EXPECT_NE(dot.find("[label=\"create a.b[0]\"]"), std::string::npos) << dot;
  EXPECT_NE(to_mermaid(made_of).find(" --> n"), std::string::npos);
}

TEST(OrderDrawing, TextFromOutsideStaysWithinItsQuotes) {
  const order made_of = build({made("a.a[\"x\\\"y\n\"]")}, {});
  EXPECT_NE(to_dot(made_of).find(R"(label="create a.a[\"x\\\"y \"]")"), std::string::npos)
      << to_dot(made_of);
  const std::string mermaid = to_mermaid(made_of);
  EXPECT_NE(mermaid.find("[\"create a.a[#quot;x\\#quot;y #quot;]\"]"), std::string::npos)
      << mermaid;
}

TEST(KnownObjects, OfAStateFileHaveKeysDeposedOnesAndWhatIsCreatedFirst) {
  const auto read = read_state_file(R"({"version":4,"resources":[
    {"module":"module.m[0]","mode":"managed","type":"a","name":"b","instances":[
      {"index_key":"k","dependencies":["a.c"],"create_before_destroy":true},
      {"index_key":"k","deposed":"4a1b","dependencies":["a.d"]}]},
    {"mode":"data","type":"t","name":"n","instances":[{"index_key":0}]}]})");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->size(), 3U);
  EXPECT_EQ(read->at({"module.m[0].a.b[\"k\"]", ""}).create_before_destroy, true);
  EXPECT_EQ(read->at({"module.m[0].a.b[\"k\"]", "4a1b"}).dependencies,
            std::vector<std::string>{"a.d"});
  EXPECT_TRUE(read->contains({"data.t.n[0]", ""}));
  EXPECT_FALSE(read_state_file("{}"));
  EXPECT_FALSE(read_state_file("no"));
}

}  // namespace
}  // namespace tofud::order
