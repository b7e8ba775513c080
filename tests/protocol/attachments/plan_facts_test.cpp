// What a plan says of each resource, against what the stream of the same plan says.
#include "protocol/attachments/plan_facts.hpp"

#include "protocol/redact/masked_plan.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;

using lines = std::multiset<std::string>;

std::string said(std::string_view address, std::string_view action, std::string_view reason,
                 std::string_view previous) {
  std::string line{address};
  return line.append(" ").append(action).append(" ").append(reason).append(" ").append(previous);
}

struct streamed {
  lines changes, drifts;
  std::optional<feed::change_counts> counts;
};

streamed read_stream(const std::string& text) {
  streamed found;
  ui::message_parser parser;
  std::istringstream each{text};
  for (std::string line; std::getline(each, line);) {
    const auto parsed = parser.parse(line);
    if (const auto* m = std::get_if<ui::planned_change>(&parsed.body))
      found.changes.insert(said(m->resource.addr, m->action, m->reason, m->previous_addr));
    if (const auto* m = std::get_if<ui::resource_drift>(&parsed.body);
        m != nullptr && (m->action == "update" || m->action == "delete"))
      found.drifts.insert(std::string{m->resource.addr} + " " + std::string{m->action});
    if (const auto* m = std::get_if<ui::change_summary>(&parsed.body);
        m != nullptr && m->operation == ui::summary_of::plan)
      found.counts = feed::change_counts{m->add, m->change, m->import, m->remove, m->forget};
  }
  return found;
}

plan_facts facts_of(const std::string& json) {
  const auto document = plan::read(json);
  EXPECT_TRUE(document);
  auto facts = plan_facts::read(*document);
  EXPECT_TRUE(facts);
  return facts ? std::move(*facts) : plan_facts{};
}

lines changes_of(const plan_facts& facts) {
  lines all;
  for (const auto& each : facts.changes())
    all.insert(said(each.address, each.action, each.reason, each.previous_address));
  return all;
}

TEST(PlanFacts, RecordedPlansAgreeWithTheirStreams) {
  std::size_t compared = 0;
  for (const auto& folder : fs::directory_iterator{TEST_RECORDINGS}) {
    const fs::path plan = folder.path() / "plan.json";
    const std::string json =
        test::unpacked(fs::exists(plan) ? plan.string() : plan.string() + ".gz");
    const std::string stream = test::unpacked((folder.path() / "plan.stream.jsonl").string());
    if (json.empty() || stream.empty()) continue;
    ++compared;
    const std::string name = folder.path().filename().string();
    const auto expected = read_stream(stream);
    const plan_facts facts = facts_of(json);
    EXPECT_EQ(changes_of(facts), expected.changes) << name;
    lines drifts;
    for (const auto& each : facts.drifts())
      drifts.insert(each.address + " " + std::string{each.action});
    EXPECT_EQ(drifts, expected.drifts) << name;
    if (expected.counts) {
      EXPECT_EQ(facts.counts(), *expected.counts) << name;
    }
    // What is kept of the plan says the same.
    const auto kept = redact::masked_plan(*plan::read(json), nullptr);
    ASSERT_TRUE(kept);
    EXPECT_EQ(changes_of(facts_of(*kept)), changes_of(facts)) << name;
  }
  EXPECT_GT(compared, 20);
}

TEST(PlanFacts, AreFoundByAddress) {
  const auto facts = facts_of(R"({"format_version":"1.2","resource_changes":[
    {"address":"t.b","deposed":"0a1b","change":{"actions":["delete"]}},
    {"address":"t.a","change":{"actions":["create","delete"]},"action_reason":"replace_by_triggers"},
    {"address":"t.b","change":{"actions":["update"],"importing":{"id":"x"}}},
    {"address":"t.c","previous_address":"t.d","change":{"actions":["no-op"]}},
    {"address":"t.e","change":{"actions":["no-op"]}}]})");
  ASSERT_EQ(facts.of("t.b").size(), 2);
  EXPECT_EQ(facts.of("t.b")[0].deposed, "0a1b");
  EXPECT_TRUE(facts.of("t.b")[1].imports);
  ASSERT_EQ(facts.of("t.a").size(), 1);
  EXPECT_TRUE(facts.of("t.a")[0].create_before_destroy);
  EXPECT_EQ(facts.of("t.a")[0].reason, "replace_triggered_by");
  ASSERT_EQ(facts.of("t.c").size(), 1);
  EXPECT_TRUE(facts.of("t.c")[0].unsaid);
  EXPECT_TRUE(facts.of("t.e").empty());
  EXPECT_TRUE(facts.of("t").empty());
}

}  // namespace
}  // namespace tofud::attachments
