#include "protocol/plan/configuration.hpp"

#include "protocol/plan/checks.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/ui/resource_address.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

namespace tofud::plan {
namespace {

namespace fs = std::filesystem;

const configured_resource* find(const configuration& in, std::string_view address) {
  const auto parts = ui::parse_address(address);
  if (!parts) return nullptr;
  const auto module =
      in.modules.find(parts->module.empty() ? "" : *ui::without_keys(parts->module));
  if (module == in.modules.end()) return nullptr;
  for (const auto& each : module->second.resources) {
    if (each.address == *ui::without_keys(parts->resource)) return &each;
  }
  return nullptr;
}

TEST(PlanConfiguration, RecordedPlansDeclareWhatTheyPlan) {
  std::size_t found = 0;
  for (const auto& folder : fs::directory_iterator{TEST_RECORDINGS}) {
    const fs::path file = folder.path() / "plan.json";
    const std::string json =
        test::unpacked(fs::exists(file) ? file.string() : file.string() + ".gz");
    if (json.empty()) continue;
    const auto document = read(json);
    ASSERT_TRUE(document) << folder;
    part configured, changed;
    ASSERT_FALSE(configured.parse(document->configuration, "configuration"));
    const auto configuration = read_configuration(configured.root());
    ASSERT_TRUE(configuration) << folder << configuration.error().text();
    for (const std::string_view each : document->resource_changes) {
      ASSERT_FALSE(changed.parse(each, "change"));
      // What goes may be declared nowhere.
      const json::value first = *changed.root()["change"]["actions"].begin();
      if (changed.root()["change"]["generated_config"]) continue;  // declared nowhere yet
      if (changed.root()["deposed"] || first.text() == "forget" || first.text() == "delete")
        continue;
      const auto* resource = find(*configuration, changed.root()["address"].text());
      ASSERT_NE(resource, nullptr) << folder << changed.root()["address"].text();
      EXPECT_EQ(resource->type, changed.root()["type"].text());
      EXPECT_TRUE(configuration->providers.contains(resource->provider_config_key));
      ++found;
    }
  }
  EXPECT_GT(found, 2000);
}

// Of a text that outlives what is read of it.
configuration read_text(part& parsed, std::string_view text) {
  EXPECT_FALSE(parsed.parse(text, "configuration"));
  auto made = read_configuration(parsed.root());
  EXPECT_TRUE(made) << made.error().text();
  return made ? std::move(*made) : configuration{};
}

TEST(PlanConfiguration, HasTheReferences) {
  part parsed;
  const auto made = read_text(parsed, R"({"provider_config":{"p":{"name":"p","full_name":"r/p",
      "expressions":{"region":{"references":["var.region"]}}}},
    "root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b",
      "provider_config_key":"p","provisioners":[{"type":"local-exec","expressions":{"command":
        {"references":["self.id","data.c.d.x","data.c.d"]}}},{"type":"file"}],
      "expressions":{"plain":{"constant_value":1},
        "one":{"references":["e.f[\"k.k\"].id","e.f[\"k.k\"]","e.f","module.m.out","module.m"]},
        "block":[{"inner":{"references":["local.l","each.key","each"]}}]},
      "count_expression":{"references":["var.n"]},"depends_on":["module.m"]}],
      "outputs":{"o":{"sensitive":true,"expression":{"references":["a.b.id","a.b"]}}},
      "variables":{"n":{"default":3},"secret":{"sensitive":true}},
      "module_calls":{"m":{"source":"./m","expressions":{"in":{"references":["a.b"]}},
        "for_each_expression":{"references":["var.all"]},
        "module":{"resources":[{"address":"g.h","type":"g"}]}},
        "old":{"resolved_source":"../old"}}}})");
  const auto& root = made.modules.at("");
  ASSERT_EQ(root.resources.size(), 1);
  const auto& resource = root.resources[0];
  EXPECT_EQ(resource.provisioners, (std::vector<std::string_view>{"local-exec", "file"}));
  references targets = resource.refers_to;
  std::sort(targets.begin(), targets.end());
  EXPECT_EQ(targets, (references{"data.c.d", "e.f[\"k.k\"]", "local.l", "module.m", "module.m.out",
                                 "var.n"}));
  EXPECT_TRUE(resource.has_count);
  EXPECT_FALSE(resource.has_for_each);
  EXPECT_EQ(made.providers.at("p").refers_to, references{"var.region"});
  EXPECT_TRUE(root.outputs.at(0).sensitive);
  EXPECT_EQ(root.outputs.at(0).refers_to, references{"a.b"});
  ASSERT_EQ(root.variables.size(), 2);
  EXPECT_EQ(root.variables[0].default_value.text(), "3");
  EXPECT_TRUE(root.variables[1].sensitive);
  ASSERT_EQ(root.calls.size(), 2);
  EXPECT_EQ(root.calls[0].arguments.at("in"), references{"a.b"});
  EXPECT_EQ(root.calls[0].refers_to, references{"var.all"});
  EXPECT_EQ(root.calls[1].source, "../old");
  EXPECT_EQ(made.modules.at("module.m").resources.at(0).address, "g.h");
}

TEST(PlanConfiguration, BrokenConfigurationNamesThePlace) {
  const auto failure_of = [](const std::string& text) {
    part parsed;
    EXPECT_FALSE(parsed.parse(text, "configuration"));
    const auto made = read_configuration(parsed.root());
    return made ? "" : made.error().text();
  };
  EXPECT_EQ(failure_of("[]"), "configuration is not an object");
  EXPECT_EQ(failure_of(R"({"root_module":{"resources":[{}]}})"),
            "configuration.root_module.resources[0].address is not a string");
  EXPECT_EQ(failure_of(R"({"root_module":{"module_calls":{"m":{"module":3}}}})"),
            "configuration.root_module.module_calls.m.module is not an object");
  EXPECT_EQ(failure_of("null"), "");
}

TEST(PlanVariables, AreThereByName) {
  part parsed;
  ASSERT_FALSE(parsed.parse(R"({"a":{"value":[1]},"b":{"value":null}})", "variables"));
  const auto all = read_variables(parsed.root());
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->at("a").is(json::kind::array));
  EXPECT_EQ(all->size(), 2);
}

TEST(PlanChecks, RecordedChecksHaveTheirProblems) {
  const std::string json =
      test::unpacked(std::string{TEST_RECORDINGS} + "/diag-conditions-checks/plan.json");
  const auto document = read(json);
  ASSERT_TRUE(document);
  part parsed;
  ASSERT_FALSE(parsed.parse(document->checks, "checks"));
  const auto all = read_checks(parsed.root());
  ASSERT_TRUE(all);
  std::map<std::string, check_status> by_address;
  for (const check& each : *all) by_address[std::string{each.address}] = each.status;
  EXPECT_EQ(by_address.at("check.health"), check_status::fail);
  EXPECT_EQ(by_address.at("check.late"), check_status::unknown);
  EXPECT_EQ(all->front().kind, "check");
  ASSERT_EQ(all->front().instances.size(), 1);
  ASSERT_EQ(all->front().instances[0].problems.size(), 1);
  EXPECT_TRUE(all->front().instances[0].problems[0].starts_with("External Program Execution Fail"));
}

TEST(PlanChecks, BrokenChecksNameThePlace) {
  part parsed;
  ASSERT_FALSE(parsed.parse(R"([{"address":{"to_display":"a"},"instances":[{}]}])", "checks"));
  const auto all = read_checks(parsed.root());
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().text(), "checks[0].instances[0].address.to_display is not a string");
}

}  // namespace
}  // namespace tofud::plan
