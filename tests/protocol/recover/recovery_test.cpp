#include "protocol/recover/recovery.hpp"

#include "protocol/recover/recovery_text.hpp"
#include "protocol/recover/statement.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::recover {
namespace {

using feed::step_action;
using feed::step_status;

// A row of t.a, step by step.
class told {
 public:
  explicit told(std::string_view action = "", std::string_view reason = "") {
    row.addr = "t.a";
    row.names = feed::resource_names::of(row.addr, {"", "managed", "t", "a", "null", ""});
    if (!action.empty()) row.plan.push_back({action, feed::planned_details{reason, ""}});
  }
  told&& step(step_action action, step_status status, std::string_view id = "") && {
    feed::step& added = row.steps.emplace_back();
    added.number = static_cast<std::uint32_t>(row.steps.size());
    added.phase = action == step_action::refresh ? feed::run_phase::plan : feed::run_phase::apply;
    added.action = action;
    added.status = status;
    if (!id.empty()) added.id_key = "id";
    added.id_value = id;
    return std::move(*this);
  }
  told&& refreshed(std::string_view id) && {
    return std::move(*this).step(step_action::refresh, step_status::done, id);
  }
  told&& created(std::string_view id) && {
    return std::move(*this).step(step_action::create, step_status::done, id);
  }
  told&& create_open() && {
    return std::move(*this).step(step_action::create, step_status::interrupted);
  }
  told&& deleted(std::string_view id) && {
    return std::move(*this).step(step_action::remove, step_status::done, id);
  }
  told&& delete_open(std::string_view id) && {
    return std::move(*this).step(step_action::remove, step_status::interrupted, id);
  }
  told&& provisioned(step_status status = step_status::interrupted) && {
    feed::provisioner& added = row.steps.back().provisioners.emplace_back();
    added.name = "local-exec";
    added.status = status;
    return std::move(*this);
  }

  feed::resource_row row;
};

held_state holding(std::vector<held_object> objects) {
  held_state state;
  state.form = state_form::state_file;
  for (held_object& each : objects) state.add("", "t", "a", "null", std::move(each));
  return state;
}

struct judged {
  verdict what;
  std::string id;
  bool operator==(const judged&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const judged& one) {
    return out << static_cast<int>(one.what) << " " << one.id;
  }
};

std::vector<judged> judge(const told& about, const held_state& state = {}) {
  const feed::resource_row* const rows[] = {&about.row};
  std::vector<judged> all;
  for (const finding& each : recover(rows, state).findings)
    all.push_back({each.what, std::string{each.id_value}});
  return all;
}
using verdicts = std::vector<judged>;
using enum verdict;

TEST(Recovery, CreatedObjectsMissingInTheStateAreImported) {
  EXPECT_EQ(judge(told{"create"}.created("1")), (verdicts{{importable, "1"}}));
  EXPECT_EQ(judge(told{"create"}.created("1"), holding({{"1", "", ""}})), verdicts{});
}

TEST(Recovery, RefreshedObjectsExistToo) {
  EXPECT_EQ(judge(told{}.refreshed("1")), (verdicts{{importable, "1"}}));
  EXPECT_EQ(judge(told{}.refreshed("1"), holding({{"1", "", ""}})), verdicts{});
  EXPECT_EQ(
      judge(told{"update"}.refreshed("1").step(step_action::update, step_status::interrupted, "1")),
      (verdicts{{importable, "1"}}));
}

TEST(Recovery, ObjectsThatTheRefreshDidNotFindDoNotExist) {
  told gone = told{"create"}.refreshed("1");
  gone.row.drift = "delete";
  EXPECT_EQ(judge(gone), verdicts{});
  EXPECT_EQ(judge(std::move(gone).created("2")), (verdicts{{importable, "2"}}));
}

TEST(Recovery, ACreateWithoutEndMayExistAndWithAProvisionerDoes) {
  EXPECT_EQ(judge(told{"create"}.create_open()), (verdicts{{verdict::create_open, ""}}));
  EXPECT_EQ(judge(told{"create"}.create_open().provisioned()), (verdicts{{without_id, ""}}));
  EXPECT_EQ(judge(told{"create"}
                      .step(step_action::create, step_status::failed)
                      .provisioned(step_status::failed)),
            (verdicts{{without_id, ""}}));
  EXPECT_EQ(judge(told{"create"}.step(step_action::create, step_status::failed)),
            (verdicts{{verdict::create_open, ""}}));
  // The state knows its id: tainted, as a stop in good order leaves it.
  EXPECT_EQ(judge(told{"create"}.create_open().provisioned(), holding({{"1", "", ""}})),
            verdicts{});
}

TEST(Recovery, ADeletedObjectMayStayInTheStateUntilTheNextRefresh) {
  const held_state state = holding({{"1", "", ""}});
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").deleted("1"), state),
            (verdicts{{deleted_in_state, "1"}}));
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").deleted("1")), verdicts{});
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").delete_open("1")),
            (verdicts{{verdict::delete_open, "1"}}));
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").delete_open("1"), state),
            (verdicts{{verdict::delete_open, "1"}}));
}

TEST(Recovery, AReplacementTakesThePlaceInTheState) {
  const held_state state = holding({{"1", "", ""}});
  // Destroyed first.
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").deleted("1").created("2"), state),
            (verdicts{{replaced, "2"}}));
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").deleted("1").create_open(), state),
            (verdicts{{deleted_in_state, "1"}, {verdict::create_open, ""}}));
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").deleted("1").created("2")),
            (verdicts{{importable, "2"}}));
  // Created first.
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").created("2").deleted("1"), state),
            (verdicts{{replaced, "2"}}));
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").created("2"), state),
            (verdicts{{left_behind, "1"}, {replaced, "2"}}));
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").created("2").delete_open("1")),
            (verdicts{{verdict::delete_open, "1"}, {importable, "2"}}));
  EXPECT_EQ(judge(told{"replace"}.refreshed("1").create_open(), state),
            (verdicts{{verdict::create_open, ""}}));
  // In good order: the old one is deposed.
  EXPECT_EQ(
      judge(told{"replace"}.refreshed("1").created("2"), holding({{"2", "", ""}, {"1", "", "1f"}})),
      verdicts{});
}

TEST(Recovery, AnIdThatAllObjectsShareIsNoIdentity) {
  EXPECT_EQ(judge(told{"replace"}.refreshed("none").deleted("none").created("none"),
                  holding({{"none", "", ""}})),
            (verdicts{{same_id, "none"}}));
}

TEST(Recovery, ForgottenObjectsAreNotReported) {
  EXPECT_EQ(judge(told{"noop"}.refreshed("1").created("2"), holding({{"2", "", ""}})), verdicts{});
}

TEST(Recovery, DeposedObjectIsIdentifiedByItsId) {
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").refreshed("2").deleted("1")),
            (verdicts{{importable, "2"}}));
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").refreshed("2")),
            (verdicts{{which_is_current, "1"}, {which_is_current, "2"}}));
  EXPECT_EQ(judge(told{"delete"}.refreshed("1").refreshed("2"),
                  holding({{"2", "", ""}, {"1", "", "1f"}})),
            verdicts{});
}

TEST(Recovery, ObjectsWithoutABlockAreNotImported) {
  EXPECT_EQ(judge(told{"delete", "delete_because_no_resource_config"}.refreshed("1")),
            (verdicts{{not_configured, "1"}}));
  EXPECT_EQ(judge(told{"delete"}.refreshed("1")), (verdicts{{importable, "1"}}));  // tofu destroy
  EXPECT_EQ(judge(told{"remove"}.refreshed("1")), verdicts{});
  EXPECT_EQ(judge(told{"import"}.refreshed("1")), (verdicts{{import_planned, "1"}}));
}

TEST(Recovery, MovedObjectsAreFoundUnderTheirOldAddress) {
  held_state state;
  state.add("", "t", "old", "null", {"1", "", ""});
  told moved = told{"move"}.refreshed("1");
  EXPECT_EQ(judge(moved, state), (verdicts{{importable, "1"}}));
  moved.row.plan.front().says = feed::planned_details{"", "t.old"};
  EXPECT_EQ(judge(moved, state), verdicts{});
}

TEST(Recovery, AnotherObjectInTheStateIsLeftThere) {
  EXPECT_EQ(judge(told{}.refreshed("1"), holding({{"9", "", ""}})),
            (verdicts{{another_in_state, "1"}}));
}

TEST(Recovery, ARedactedIdIsNoId) {
  EXPECT_EQ(judge(told{"create"}.created("(redacted:12ab9f)")), (verdicts{{without_id, ""}}));
}

TEST(Recovery, DataSourcesAreIgnored) {
  told data = told{}.refreshed("1");
  data.row.names = feed::resource_names::of(data.row.addr, {"", "data", "t", "a", "null", ""});
  EXPECT_EQ(judge(data), verdicts{});
}

TEST(Recovery, PlannedChangesWithoutAStepAreCounted) {
  const told begun = told{"create"}.create_open(), planned{"create"}, read{"read"};
  const feed::resource_row* const rows[] = {&begun.row, &planned.row, &read.row};
  EXPECT_EQ(recover(rows, {}).never_begun, 1);
}

TEST(RecoveryText, IsJsonWithTemplatesAndKeysEscaped) {
  told made = told{"create"}.created("a${b}%{c}$d\"");
  made.row.addr = "t.a[\"k\"]";
  const feed::resource_row* const rows[] = {&made.row};
  const recovery found = recover(rows, {});
  const std::string text = recovery_text(found, {"r1", "", "empty", "", ""},
                                         {{certainty::fact, "f"}, {certainty::unknown, "u"}});
  const auto root = boost::json::parse(text);
  EXPECT_EQ(root.at("//").at("tofud").at("run").as_string(), "r1");
  EXPECT_FALSE(root.at("//").at("tofud").as_object().contains("lineage"));
  EXPECT_EQ(root.at("//").at("said").at(1).as_string(), "unknown: u");
  const auto& block = root.at("import").at(0);
  EXPECT_EQ(block.at("to").as_string(), "t.a[\"k\"]");
  EXPECT_EQ(block.at("id").as_string(), "a$${b}%%{c}$d\"");
  EXPECT_TRUE(std::string_view{block.at("//").at(0).as_string()}.starts_with("fact: t.a[\"k\"]: "));
}

TEST(RecoveryText, FileWithoutBlocksIsAComment) {
  const auto root = boost::json::parse(recovery_text({}, {}, {}));
  EXPECT_EQ(root.as_object().size(), 1);
}

TEST(RecoveryStatements, HaveTheirAddressAndTheirCertainty) {
  const told all[] = {told{"create"}.created("1"),
                      told{"create"}.create_open(),
                      told{"create"}.create_open().provisioned(),
                      told{"create"}.created(""),
                      told{"delete"}.refreshed("1").delete_open("1"),
                      told{"replace"}.refreshed("1").created("2"),
                      told{"import"}.refreshed("1"),
                      told{"delete", "delete_because_count_index"}.refreshed("1"),
                      told{"delete"}.refreshed("1").refreshed("2")};
  for (const told& each : all) {
    const feed::resource_row* const rows[] = {&each.row};
    for (const held_state& state :
         {held_state{}, holding({{"1", "", ""}}), holding({{"9", "", ""}})}) {
      for (const finding& found : recover(rows, state).findings) {
        const auto said = statements_of(found);
        ASSERT_FALSE(said.empty());
        for (const statement& one : said) EXPECT_TRUE(one.text.starts_with("t.a: ")) << one.text;
      }
    }
  }
}

TEST(RecoveryStatements, QuoteAnAddressForAShell) {
  EXPECT_EQ(shell_quoted("t.a[\"it's\"]"), R"('t.a["it'\''s"]')");
}

}  // namespace
}  // namespace tofud::recover
