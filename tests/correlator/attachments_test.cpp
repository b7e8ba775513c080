// What is attached to a run, in its rows.
#include "protocol/config/configuration.hpp"
#include "protocol/redact/masked_plan.hpp"
#include "tests/correlator/by_hand.hpp"
#include "tests/correlator/recorded.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tofud::test {
namespace {

using boost::json::array;
using boost::json::value;

std::shared_ptr<const attachments::plan_facts> facts_of(const std::string& plan) {
  const auto document = plan::read(plan);
  EXPECT_TRUE(document);
  auto facts = attachments::plan_facts::read(*document);
  EXPECT_TRUE(facts);
  return std::make_shared<const attachments::plan_facts>(std::move(*facts));
}

std::shared_ptr<const attachments::config_facts> config_of(const std::string& blocks) {
  auto read =
      attachments::config_facts::read(R"({"format":"tofud.config.v1","blocks":[)" + blocks + "]}");
  EXPECT_TRUE(read) << read.error().text();
  return std::make_shared<const attachments::config_facts>(std::move(*read));
}

std::string plan_of(const std::string& changes, const std::string& more = "") {
  return R"({"format_version":"1.2","resource_changes":[)" + changes + "]" + more + "}";
}

/// The final rows by kind and key, with what is attached after `at` bytes of the stream.
class attached {
 public:
  attached(const std::string& stream, const correlator::run_attachments& known,
           std::size_t at = 0) {
    struct ignoring : correlator::row_sink {
    } nobody;
    correlator::run_identity identity;
    identity.id = "r";
    correlator::stream_fold fold{std::move(identity), nobody};
    fold.feed(stream.substr(0, at));
    fold.attach(known);
    fold.feed(stream.substr(at));
    fold.end();
    for (const auto& run : fold.runs()) {
      std::string rows;
      feed::encode(rows, run.view(), 0);
      rows.push_back('\n');
      for (feed::row_number row = 0; row < run.rows(); ++row) {
        run.encode(rows, row, 0, feed::cut::no);
        rows.push_back('\n');
      }
      for (object& row : parse_rows(rows)) {
        const std::string kind{row.at("kind").as_string()}, key{row.at("key").as_string()};
        rows_[kind + " " + key] = std::move(row);
      }
    }
  }

  const object& row(const std::string& name) const {
    static const object nothing;
    const auto found = rows_.find(name);
    EXPECT_NE(found, rows_.end()) << name;
    return found == rows_.end() ? nothing : found->second;
  }
  bool has(const std::string& name) const { return rows_.contains(name); }
  const std::map<std::string, object>& all() const { return rows_; }

 private:
  std::map<std::string, object> rows_;
};

std::string shown(const value& what) { return boost::json::serialize(what); }

std::string saved_apply() {
  return stream{}
      .version()
      .plan("t.a", "create")
      .start("t.a", "create")
      .complete("t.a", "create")
      .summary("apply")
      .text();
}

const std::string saved_plan = plan_of(
    R"({"address":"t.a","mode":"managed","change":{"actions":["create"]}},
       {"address":"t.moved[\"k\"]","index":"k","mode":"managed","previous_address":"t.old",
        "change":{"actions":["no-op"]}},
       {"address":"module.m.t.imported","mode":"managed","change":{"actions":["no-op"],
        "importing":{"id":"x"}}},
       {"address":"t.same","mode":"managed","change":{"actions":["no-op"]}})",
    R"(,"resource_drift":[{"address":"t.drifted","mode":"managed","change":{"actions":["update"]}}],
       "output_changes":{"o":{"actions":["create"],"after":"v","after_sensitive":false},
                         "s":{"actions":["update"],"after_sensitive":true}})");

TEST(AttachedPlan, RowsOfASavedPlansRunHaveWhatTheStreamLeavesOut) {
  const attached run{saved_apply(), {facts_of(saved_plan), nullptr}};
  const object& moved = run.row("resource t.moved[\"k\"]");
  EXPECT_EQ(shown(moved.at("plan")), R"([{"action":"move","previous_addr":"t.old"}])");
  EXPECT_EQ(shown(moved.at("index")), R"("k")");
  EXPECT_EQ(shown(moved.at("status")), R"("done")");
  EXPECT_EQ(shown(moved.at("inferred")), "true");
  const object& imported = run.row("resource module.m.t.imported");
  EXPECT_EQ(shown(imported.at("plan")), R"([{"action":"import"}])");
  EXPECT_EQ(shown(imported.at("module")), R"("module.m")");
  EXPECT_EQ(shown(run.row("resource t.drifted").at("drift")), R"("update")");
  EXPECT_EQ(shown(run.row("resource t.drifted").at("status")), R"("drifted")");
  EXPECT_FALSE(run.has("resource t.same"));
  EXPECT_EQ(shown(run.row("output o").at("action")), R"("create")");
  EXPECT_EQ(shown(run.row("output s").at("sensitive")), "true");
  const object& view = run.row("run r");
  EXPECT_EQ(shown(view.at("planned")), R"({"add":1,"change":0,"import":1,"remove":0,"forget":0})");
  EXPECT_EQ(shown(view.at("attachments")), R"(["plan"])");
  EXPECT_EQ(shown(view.at("progress")), R"({"done":1,"total":1})");
}

TEST(AttachedPlan, LatePlanGivesTheSameRows) {
  const std::string bytes = saved_apply();
  const attached first{bytes, {facts_of(saved_plan), nullptr}};
  for (std::size_t at = bytes.find('\n'); at != std::string::npos; at = bytes.find('\n', at + 1)) {
    const attached late{bytes, {facts_of(saved_plan), nullptr}, at + 1};
    EXPECT_EQ(late.all(), first.all()) << at;
  }
}

TEST(AttachedPlan, TheFirstAttachedPlanStays) {
  struct ignoring : correlator::row_sink {
  } nobody;
  correlator::run_identity identity;
  identity.id = "r";
  correlator::stream_fold fold{std::move(identity), nobody};
  fold.attach({facts_of(saved_plan), nullptr});
  fold.feed(saved_apply());
  // The first one would be gone now, and what the rows say with it.
  fold.attach({facts_of(saved_plan), nullptr, std::make_shared<const schema::schemas>()});
  const auto& run = fold.runs().front();
  std::string rows;
  for (feed::row_number row = 0; row < run.rows(); ++row) run.encode(rows, row, 0, feed::cut::no);
  EXPECT_NE(rows.find(R"("previous_addr":"t.old")"), std::string::npos);
}

TEST(AttachedPlan, MakesNoRowsInARunThatPlansItself) {
  const auto planned = stream{}
                           .version()
                           .plan("t.a", "create")
                           .summary("plan")
                           .start("t.a", "create")
                           .complete("t.a", "create")
                           .summary("apply")
                           .text();
  const attached run{planned, {facts_of(saved_plan), nullptr}};
  EXPECT_TRUE(run.has("resource t.a"));
  EXPECT_FALSE(run.has("resource module.m.t.imported"));
  EXPECT_FALSE(run.has("output o"));
}

TEST(AttachedPlan, RowsHaveDeposedObjectsImportsAndTheOrderOfReplaces) {
  const auto bytes = stream{}
                         .version()
                         .plan("t.a", "delete")
                         .plan("t.a", "replace")
                         .plan("t.b", "update")
                         .plan("t.c", "replace")
                         .text();
  const attached run{bytes,
                     {facts_of(plan_of(
                          R"({"address":"t.a","deposed":"0a1b2c3d","change":{"actions":["delete"]}},
              {"address":"t.a","change":{"actions":["create","delete"]}},
              {"address":"t.b","change":{"actions":["update"],"importing":{"id":"x"}}},
              {"address":"t.c","change":{"actions":["delete","create"]}})")),
                      nullptr}};
  EXPECT_EQ(
      shown(run.row("resource t.a").at("plan")),
      R"([{"action":"delete","deposed":"0a1b2c3d"},{"action":"replace","create_before_destroy":true}])");
  EXPECT_EQ(shown(run.row("resource t.b").at("plan")), R"([{"action":"update","imports":true}])");
  EXPECT_EQ(shown(run.row("resource t.c").at("plan")), R"([{"action":"replace"}])");
}

TEST(AttachedPlan, PlanOfAnotherRunChangesNothing) {
  const auto bytes = stream{}.version().plan("t.a", "create").start("t.a", "create").text();
  const attached run{
      bytes, {facts_of(plan_of(R"({"address":"t.a","change":{"actions":["delete"]}})")), nullptr}};
  EXPECT_EQ(shown(run.row("resource t.a").at("plan")), R"([{"action":"create"}])");
}

TEST(AttachedConfiguration, GivesEachRowItsPlace) {
  const auto bytes = stream{}.version().plan("t.a", "replace").plan("t.b", "delete").text();
  const auto config =
      config_of(R"({"address":"t.a","file":"net/main.tf","line":7,"create_before_destroy":true})");
  for (const std::size_t at : {std::size_t{0}, bytes.size()}) {
    const attached run{bytes, {nullptr, config}, at};
    EXPECT_EQ(shown(run.row("resource t.a").at("source")), R"({"file":"net/main.tf","line":7})");
    EXPECT_EQ(shown(run.row("resource t.a").at("plan")),
              R"([{"action":"replace","create_before_destroy":true}])");
    EXPECT_EQ(shown(run.row("resource t.b").at("source")), "null");
  }
}

TEST(AttachedConfiguration, AnnotationsAreInTheRowOfTheirBlock) {
  const auto bytes =
      stream{}.version().plan("module.m.t.a[0]", "create").plan("t.b", "delete").text();
  const auto config = config_of(
      R"({"address":"module.m.t.a","file":"m/main.tf","line":1,"annotations":{"expect_s":1500}},
         {"address":"module.m","file":"main.tf","line":1,
          "annotations":{"owner":"@m","runbook":"https://w","expect_s":9}})");
  for (const std::size_t at : {std::size_t{0}, bytes.size()}) {
    const attached run{bytes, {nullptr, config}, at};
    EXPECT_EQ(
        shown(run.row("resource module.m.t.a[0]").at("source")),
        R"({"file":"m/main.tf","line":1,"owner":"@m","runbook":"https://w","expect_s":1500})");
    EXPECT_EQ(shown(run.row("resource t.b").at("source")), "null");
  }
}

TEST(AttachedConfiguration, AStepHasTheNumberOfItsProvisioners) {
  const auto config = config_of(R"({"address":"t.a","file":"main.tf","line":1,"provisioners":[
    {"type":"local-exec","when":"create"},{"type":"local-exec","when":"destroy"},
    {"type":"remote-exec","when":"create"}]})");
  const auto bytes = stream{}
                         .version()
                         .start("t.a", "delete")
                         .complete("t.a", "delete")
                         .start("t.a", "create")
                         .provision("start", "t.a")
                         .text();
  for (const std::size_t at : {std::size_t{0}, bytes.size()}) {
    const attached run{bytes, {nullptr, config}, at};
    const array& steps = run.row("resource t.a").at("steps").as_array();
    EXPECT_EQ(shown(steps.at(0).at("declared")), "1");
    EXPECT_EQ(shown(steps.at(1).at("declared")), "2");
  }
  // What is destroyed after its successor was made is a deposed object: nothing runs for it.
  const auto other_way = stream{}
                             .version()
                             .start("t.a", "create")
                             .complete("t.a", "create")
                             .start("t.a", "delete")
                             .text();
  const attached run{other_way, {nullptr, config}};
  EXPECT_FALSE(run.row("resource t.a").at("steps").at(1).as_object().contains("declared"));
}

TEST(AttachedPlan, RowsOfEveryRecordingStayTrue) {
  std::size_t compared = 0;
  for (const recorded& each : all_recordings()) {
    if (each.stem != "stream" && each.stem != "plan.stream") continue;
    const auto plan = read_file(each.path.parent_path() / "plan.json");
    const auto bytes = read_file(each.path);
    if (!plan || !bytes) continue;
    ++compared;
    const attached with{*bytes, {facts_of(*plan), nullptr}};
    const attached without{*bytes, {}};
    std::set<std::string> more;
    for (const auto& [name, row] : with.all()) {
      if (!without.has(name)) more.insert(name);
    }
    for (const auto& [name, row] : without.all()) {
      if (!name.starts_with("resource ")) continue;
      EXPECT_EQ(shown(with.row(name).at("status")), shown(row.at("status"))) << each << " " << name;
      EXPECT_EQ(shown(with.row(name).at("steps")), shown(row.at("steps"))) << each << " " << name;
      EXPECT_EQ(with.row(name).at("plan").as_array().size(), row.at("plan").as_array().size());
    }
    // Rows come from the plan only where a saved plan was applied.
    if (!more.empty()) {
      EXPECT_TRUE(each.scenario == "apply-saved-plan" || each.scenario == "interrupted-saved-plan")
          << each << " " << *more.begin();
    }
  }
  EXPECT_GT(compared, 60);
}

}  // namespace
}  // namespace tofud::test
