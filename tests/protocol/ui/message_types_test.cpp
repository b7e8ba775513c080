// What the messages of each type hold.
#include "tests/protocol/ui/message_lines.hpp"

#include <string>

namespace tofud::ui {
namespace {

using tests::hook;
using tests::json_of;
using tests::line;
using tests::reader;
using tests::resource_object;
using tests::t_n;

// ---- version, log, diagnostic ----

TEST(MessageParser, VersionNamesTheToolAndTheSchema) {
  const reader tofu{line("version", R"("tofu":"1.12.6","ui":"1.2")")};
  EXPECT_EQ(tofu.as<version>().tofu, "1.12.6");
  EXPECT_EQ(tofu.as<version>().terraform, "");
  EXPECT_EQ(tofu.as<version>().ui, "1.2");
  const reader terraform{
      R"({"@module":"terraform.ui","terraform":"1.5.7","type":"version","ui":"1.1"})"};
  EXPECT_EQ(terraform.as<version>().terraform, "1.5.7");
}

TEST(UiVersion, MajorIsTheFirstNumber) {
  EXPECT_EQ(major("1.2"), 1);
  EXPECT_EQ(major("0.1.0"), 0);
  EXPECT_EQ(major("2"), 2);
  EXPECT_EQ(major("10.0"), 10);
  EXPECT_GT(major("99999999999999999999.1"), 1);
  for (const char* const bad : {"", "x", "v1.2", "1x", ".1", " 1"}) EXPECT_FALSE(major(bad)) << bad;
}

TEST(MessageParser, LogHasOnlyItsText) {
  const reader r{line("log")};
  EXPECT_EQ(r.as<log>().state, state_dump::no);
  EXPECT_EQ(r.parsed.head->text, "said");
}

TEST(MessageParser, TheStateInALogIsMarkedAndDropped) {
  const reader r{line(
      "log", R"("state":{"version":4,"resources":[{"values":{"password":"hunter2"}}],"x":[[]]})")};
  EXPECT_EQ(r.as<log>().state, state_dump::yes);
  EXPECT_EQ(r.parsed.head->text, "said");
  EXPECT_EQ(reader{line("log", R"("state":"encrypted")")}.as<log>().state, state_dump::yes);
}

TEST(MessageParser, DiagnosticHasItsPlaceAndSnippet) {
  const reader r{line(
      "diagnostic",
      R"("diagnostic":{"severity":"error","summary":"s","detail":"d\nd","address":"t.n",)"
      R"("range":{"filename":"m.tf","start":{"line":4,"column":41,"byte":100},)"
      R"("end":{"line":4,"column":47,"byte":106}},"snippet":{"context":null,"code":"  a = nope 1",)"
      R"("start_line":4,"highlight_start_offset":6,"highlight_end_offset":10,)"
      R"("values":[{"traversal":"var.a","statement":"is \"x\""}],)"
      R"("function_call":{"called_as":"nope","signature":{"params":[]}}}})")};
  const auto& d = r.as<diagnostic>();
  EXPECT_EQ(d.severity, "error");
  EXPECT_EQ(d.summary, "s");
  EXPECT_EQ(d.detail, "d\nd");
  EXPECT_EQ(d.address, "t.n");
  EXPECT_EQ(d.range["start"]["byte"].integer(), 100);
  EXPECT_TRUE(d.snippet["context"].is(json::kind::null));
  EXPECT_EQ((*d.snippet["values"].begin())["statement"].string(), "is \"x\"");
  EXPECT_EQ(d.snippet["function_call"].text(), R"({"called_as":"nope","signature":{"params":[]}})");
}

TEST(MessageParser, DiagnosticMayHaveNoDetailPlaceOrAddress) {
  const reader r{line("diagnostic", R"("diagnostic":{"severity":"warning","summary":""})")};
  EXPECT_EQ(r.as<diagnostic>().severity, "warning");
  EXPECT_EQ(r.as<diagnostic>().detail, "");
  EXPECT_FALSE(r.as<diagnostic>().range);
  EXPECT_FALSE(r.as<diagnostic>().snippet);
}

// ---- changes, summaries, outputs ----

TEST(MessageParser, ResourceObjectIsTakenWhole) {
  const reader r{line(
      "planned_change",
      R"("change":{"resource":{"addr":"module.m[\"k\"].t_x.n[0]","module":"module.m[\"k\"]",)"
      R"("resource":"t_x.n[0]","implied_provider":"t","resource_type":"t_x","resource_name":"n",)"
      R"("resource_key":0},"action":"create"})")};
  const auto& what = r.as<planned_change>().resource;
  EXPECT_EQ(what.addr, "module.m[\"k\"].t_x.n[0]");
  EXPECT_EQ(what.module, "module.m[\"k\"]");
  EXPECT_EQ(what.relative, "t_x.n[0]");
  EXPECT_EQ(what.implied_provider, "t");
  EXPECT_EQ(what.type, "t_x");
  EXPECT_EQ(what.name, "n");
  EXPECT_EQ(what.key.integer(), 0);
}

TEST(MessageParser, HtmlEscapesOfAResourceKeyAreUnescaped) {
  const reader r{line("planned_change", R"("change":{"resource":)" +
                                            resource_object("t", "n", R"("a\u003cb\u0026c\u003e")",
                                                            R"([\"a<b&c>\"])") +
                                            R"(,"action":"create"})")};
  EXPECT_EQ(r.as<planned_change>().resource.key.string(), "a<b&c>");
  EXPECT_EQ(r.as<planned_change>().resource.addr, "t.n[\"a<b&c>\"]");
}

TEST(MessageParser, PlannedChangeHasActionReasonAndFormerAddress) {
  const reader r{line("planned_change", R"("change":{)" + t_n + R"(,"previous_resource":)" +
                                            resource_object("t", "old") +
                                            R"(,"action":"move","reason":"tainted"})")};
  const auto& change = r.as<planned_change>();
  EXPECT_EQ(change.resource.addr, "t.n");
  EXPECT_EQ(change.previous_addr, "t.old");
  EXPECT_EQ(change.action, "move");
  EXPECT_EQ(change.reason, "tainted");
}

TEST(MessageParser, UnknownActionsAndReasonsOfAChangeAreKeptAsTheyAre) {
  const reader r{
      line("planned_change", R"("change":{)" + t_n + R"(,"action":"explode","reason":"because"})")};
  EXPECT_EQ(r.as<planned_change>().action, "explode");
  EXPECT_EQ(r.as<planned_change>().reason, "because");
}

TEST(MessageParser, ResourceDriftHasAnAction) {
  const reader r{line("resource_drift", R"("change":{)" + t_n + R"(,"action":"delete"})")};
  EXPECT_EQ(r.as<resource_drift>().resource.addr, "t.n");
  EXPECT_EQ(r.as<resource_drift>().action, "delete");
}

TEST(MessageParser, ChangeSummaryCountsPerOperation) {
  const reader r{line(
      "change_summary",
      R"("changes":{"add":1,"change":2,"import":3,"remove":4,"forget":5,"operation":"destroy"})")};
  const auto& summary = r.as<change_summary>();
  EXPECT_EQ(summary.operation, summary_of::destroy);
  EXPECT_EQ(summary.add, 1);
  EXPECT_EQ(summary.change, 2);
  EXPECT_EQ(summary.import, 3);
  EXPECT_EQ(summary.remove, 4);
  EXPECT_EQ(summary.forget, 5);
}

TEST(MessageParser, ChangeSummaryOfOldVersionsHasNoImportAndNoForget) {
  const reader r{
      line("change_summary", R"("changes":{"add":1,"change":0,"remove":0,"operation":"plan"})")};
  EXPECT_EQ(r.as<change_summary>().operation, summary_of::plan);
  EXPECT_EQ(r.as<change_summary>().import, 0);
  EXPECT_EQ(r.as<change_summary>().forget, 0);
}

TEST(MessageParser, OutputsArePlannedIfTheyHaveAnAction) {
  const reader planned{line("outputs", R"("outputs":{"a":{"sensitive":false,"action":"create"}})")};
  EXPECT_EQ(planned.as<outputs>().stage, output_stage::planned);
  const reader applied{line("outputs", R"("outputs":{"a":{"sensitive":true,"type":"string"}})")};
  EXPECT_EQ(applied.as<outputs>().stage, output_stage::applied);
  EXPECT_EQ(reader{line("outputs", R"("outputs":{})")}.as<outputs>().stage, output_stage::applied);
}

TEST(MessageParser, TypesAndValuesOfOutputsKeepTheirText) {
  const reader r{line(
      "outputs", R"("outputs":{"a":{"sensitive":false,"deprecated":"why","type":["list","number"],)"
                 R"("value":[1.0, 1e400, 12345678901234567890]}})")};
  const json::value entry = r.as<outputs>().entries["a"];
  EXPECT_EQ(entry["type"].text(), R"(["list","number"])");
  EXPECT_EQ(entry["value"].text(), "[1.0,1e400,12345678901234567890]");
  EXPECT_EQ(entry["deprecated"].string(), "why");
  EXPECT_TRUE(entry["sensitive"].is(json::kind::boolean_false));
}

TEST(MessageParser, OutputsMayBeNamedLikeAnything) {
  const reader r{line("outputs",
                      R"("outputs":{"value":{"sensitive":false,"type":"string","value":"v"},)"
                      R"("type":{"sensitive":false,"type":"string","value":"t"}})")};
  EXPECT_EQ(r.as<outputs>().entries["value"]["value"].text(), "\"v\"");
  EXPECT_EQ(r.as<outputs>().entries["type"]["value"].text(), "\"t\"");
}

// ---- hooks ----

TEST(MessageParser, ApplyHooksHaveAnActionAndSomeAnId) {
  const std::string members =
      t_n + R"(,"action":"create","id_key":"id","id_value":"i-1","elapsed_seconds":3)";
  const reader start{hook("apply_start", members)};
  EXPECT_EQ(start.as<apply_start>().resource.addr, "t.n");
  EXPECT_EQ(start.as<apply_start>().action, hook_action::create);
  EXPECT_EQ(start.as<apply_start>().id.value, "i-1");
  const reader complete{hook("apply_complete", members)};
  EXPECT_EQ(complete.as<apply_complete>().id.key, "id");
  EXPECT_EQ(complete.as<apply_complete>().id.value, "i-1");
  EXPECT_EQ(reader{hook("apply_progress", members)}.as<apply_progress>().action,
            hook_action::create);
  EXPECT_EQ(reader{hook("apply_errored", members)}.as<apply_errored>().resource.addr, "t.n");
}

TEST(MessageParser, ApplyHooksKnowFourActions) {
  const auto action = [](std::string word) {
    return reader{hook("apply_start", t_n + R"(,"action":")" + word + "\"")}
        .as<apply_start>()
        .action;
  };
  EXPECT_EQ(action("create"), hook_action::create);
  EXPECT_EQ(action("read"), hook_action::read);
  EXPECT_EQ(action("update"), hook_action::update);
  EXPECT_EQ(action("delete"), hook_action::remove);
}

TEST(MessageParser, IdIsEmptyWhenNotPrinted) {
  const reader r{hook("apply_complete", t_n + R"(,"action":"delete","elapsed_seconds":0)")};
  EXPECT_EQ(r.as<apply_complete>().id.key, "");
  EXPECT_EQ(r.as<apply_complete>().id.value, "");
}

TEST(MessageParser, ProvisionHooksNameTheProvisioner) {
  const std::string members = t_n + R"(,"provisioner":"remote-exec","output":"\u001b[32mok\r")";
  EXPECT_EQ(reader{hook("provision_start", members)}.as<provision_start>().provisioner,
            "remote-exec");
  EXPECT_EQ(reader{hook("provision_complete", members)}.as<provision_complete>().provisioner,
            "remote-exec");
  EXPECT_EQ(reader{hook("provision_errored", members)}.as<provision_errored>().provisioner,
            "remote-exec");
  const reader progress{hook("provision_progress", members)};
  EXPECT_EQ(progress.as<provision_progress>().provisioner, "remote-exec");
  EXPECT_EQ(progress.as<provision_progress>().output, "\x1b[32mok\r");
}

TEST(MessageParser, RefreshHooksMayHaveAnId) {
  const reader start{hook("refresh_start", t_n + R"(,"id_key":"id","id_value":"vpc-1")")};
  EXPECT_EQ(start.as<refresh_start>().id.value, "vpc-1");
  EXPECT_EQ(reader{hook("refresh_complete", t_n)}.as<refresh_complete>().id.value, "");
}

TEST(MessageParser, EphemeralActionsOfOpenTofuAreReadFromTheirMsg) {
  const auto started = [](std::string said) {
    return reader{hook("ephemeral_action_started", t_n + R"(,"Msg":")" + said + "\"")}
        .as<ephemeral_start>()
        .action;
  };
  const auto complete = [](std::string said) {
    return reader{hook("ephemeral_action_complete", t_n + R"(,"Msg":")" + said + "\"")}
        .as<ephemeral_complete>()
        .action;
  };
  EXPECT_EQ(started("Opening..."), ephemeral_action::open);
  EXPECT_EQ(started("Renewing..."), ephemeral_action::renew);
  EXPECT_EQ(started("Closing..."), ephemeral_action::close);
  EXPECT_EQ(complete("Open complete"), ephemeral_action::open);
  EXPECT_EQ(complete("Renew complete"), ephemeral_action::renew);
  EXPECT_EQ(complete("Close complete"), ephemeral_action::close);
}

TEST(MessageParser, MsgHasACapitalM) {
  EXPECT_TRUE(
      reader{hook("ephemeral_action_started", t_n + R"(,"msg":"Opening...")")}.is<malformed>());
}

TEST(MessageParser, EphemeralOperationsOfTerraformHaveAnAction) {
  const std::string members = t_n + R"(,"action":"renew","elapsed_seconds":1)";
  EXPECT_EQ(reader{hook("ephemeral_op_start", members)}.as<ephemeral_start>().action,
            ephemeral_action::renew);
  EXPECT_TRUE(reader{hook("ephemeral_op_progress", members)}.is<ephemeral_progress>());
  EXPECT_TRUE(reader{hook("ephemeral_op_complete", members)}.is<ephemeral_complete>());
  EXPECT_TRUE(reader{hook("ephemeral_op_errored", members)}.is<ephemeral_errored>());
}

// ---- tests ----

TEST(MessageParser, TestAbstractListsFilesAndRuns) {
  const reader r{
      line("test_abstract", R"("test_abstract":{"a.tftest.hcl":["x","y"],"b.tftest.hcl":null})")};
  EXPECT_EQ(json_of(r.as<test_abstract>().files),
            R"({"a.tftest.hcl":["x","y"],"b.tftest.hcl":null})");
}

TEST(MessageParser, TestFileAndRunHaveAStatusOrNone) {
  const reader file{line("test_file", R"("test_file":{"path":"a.tftest.hcl","status":"fail"})")};
  EXPECT_EQ(file.as<test_file>().path, "a.tftest.hcl");
  EXPECT_EQ(file.as<test_file>().status, "fail");
  const reader run{
      line("test_run", R"("test_run":{"path":"a.tftest.hcl","run":"x","progress":"starting"})")};
  EXPECT_EQ(run.as<test_run>().run, "x");
  EXPECT_EQ(run.as<test_run>().status, "");
}

TEST(MessageParser, TestSummaryCounts) {
  const reader r{
      line("test_summary",
           R"("test_summary":{"status":"fail","passed":3,"failed":1,"errored":0,"skipped":2})")};
  EXPECT_EQ(r.as<test_summary>().status, "fail");
  EXPECT_EQ(r.as<test_summary>().passed, 3);
  EXPECT_EQ(r.as<test_summary>().failed, 1);
  EXPECT_EQ(r.as<test_summary>().skipped, 2);
}

TEST(MessageParser, TestPlansAndStatesAreOnlyNoticed) {
  EXPECT_TRUE(
      reader{line("test_plan", R"("test_plan":{"resource_changes":[]})")}.is<test_document>());
  EXPECT_TRUE(reader{line("test_state", R"("test_state":{"values":{}})")}.is<test_document>());
}

TEST(MessageParser, TestInterruptIsOneOfItsOwn) {
  EXPECT_TRUE(reader{line("test_interrupt", R"("test_interrupt":{"planned":["t.n"]})")}
                  .is<test_interrupt>());
}

// ---- the others ----

TEST(MessageParser, TypesWithNothingButTextAreNotices) {
  for (const char* const type :
       {"state_lock_acquire", "state_lock_release", "test_cleanup", "resource_address",
        "replace_provider", "workspace_list", "output"}) {
    EXPECT_TRUE(reader{line(type)}.is<notice>()) << type;
  }
}

TEST(MessageParser, InitOutputNamesItsSentence) {
  const reader r{line("init_output", R"("message_code":"output_init_success_message")")};
  EXPECT_EQ(r.as<init_output>().code, "output_init_success_message");
  EXPECT_TRUE(reader{line("init_output")}.is<init_output>());
}

TEST(MessageParser, MessagesWithoutATypeAreUntyped) {
  EXPECT_TRUE(reader{line("")}.is<untyped>());
  EXPECT_TRUE(reader{line("", R"("workspaces":["a"],"current_workspace":"a")")}.is<untyped>());
  EXPECT_TRUE(reader{line("", R"("type":7)")}.is<untyped>());
}

TEST(MessageParser, UnknownTypesKeepTheirName) {
  for (const char* const type :
       {"planned_action_invocation", "action_start", "list_start", "policy_result", "test_status",
        "Version", "apply_start ", "future"}) {
    const reader r{line(type, R"("hook":{"action":{"a":1}})")};
    EXPECT_TRUE(r.is<unknown>()) << type;
    EXPECT_EQ(r.parsed.head->type, type);
  }
}

TEST(MessageParser, KnownTypesWithMembersMissingOrOfTheWrongKindAreMalformed) {
  const std::string no_addr = R"("resource":{"module":"","resource":"t.n"})";
  for (const std::string& text : {
           line("apply_start"),
           line("apply_start", R"("hook":null)"),
           line("apply_start", R"("hook":[])"),
           line("apply_start", R"("hook":"x")"),
           hook("apply_start", ""),
           hook("apply_start", R"("action":"create")"),
           hook("apply_start", t_n),
           hook("apply_start", t_n + R"(,"action":null)"),
           hook("apply_start", t_n + R"(,"action":"replace")"),
           hook("apply_start", t_n + R"(,"action":{"addr":"action.x"})"),
           hook("apply_start", no_addr + R"(,"action":"create")"),
           hook("apply_start", R"("resource":{"addr":7},"action":"create")"),
           hook("apply_start", R"("resource":{"addr":""},"action":"create")"),
           hook("apply_start", R"("resource":"t.n","action":"create")"),
           hook("apply_start", R"("resource":["t.n"],"action":"create")"),
           hook("apply_progress", t_n),
           hook("apply_complete", no_addr + R"(,"action":"create")"),
           hook("apply_errored", t_n + R"(,"action":"CREATE")"),
           hook("provision_start", t_n),
           hook("provision_start", no_addr + R"(,"provisioner":"file")"),
           hook("provision_progress", t_n + R"(,"provisioner":"file")"),
           hook("provision_progress", t_n + R"(,"provisioner":"file","output":null)"),
           hook("provision_complete", t_n + R"(,"provisioner":1)"),
           hook("provision_errored", t_n),
           hook("refresh_start", ""),
           hook("refresh_complete", no_addr),
           hook("ephemeral_action_started", t_n),
           hook("ephemeral_action_complete", t_n + R"(,"Msg":"Thinking...")"),
           hook("ephemeral_op_start", t_n + R"(,"action":"create")"),
           line("diagnostic"),
           line("diagnostic", R"("diagnostic":"boom")"),
           line("diagnostic", R"("diagnostic":{"severity":"error"})"),
           line("diagnostic", R"("diagnostic":{"summary":"s"})"),
           line("diagnostic", R"("diagnostic":{"severity":1,"summary":"s"})"),
           line("planned_change", R"("change":{)" + t_n + "}"),
           line("planned_change", R"("change":{)" + no_addr + R"(,"action":"create"})"),
           line("planned_change", R"("change":{)" + t_n + R"(,"action":["create"]})"),
           line("resource_drift", R"("change":{"action":"update"})"),
           line("change_summary"),
           line("change_summary", R"("changes":{"add":1,"change":0,"remove":0})"),
           line("change_summary",
                R"("changes":{"add":1,"change":0,"remove":0,"operation":"refresh"})"),
           line("change_summary", R"("changes":{"add":1,"change":0,"operation":"plan"})"),
           line("change_summary",
                R"("changes":{"add":"1","change":0,"remove":0,"operation":"plan"})"),
           line("change_summary",
                R"("changes":{"add":1.5,"change":0,"remove":0,"operation":"plan"})"),
           line("outputs"),
           line("outputs", R"("outputs":[])"),
           line("outputs", R"("outputs":{"a":1})"),
           line("test_abstract", R"("test_abstract":[])"),
           line("test_file", R"("test_file":{"status":"pass"})"),
           line("test_run", R"("test_run":{"path":"a"})"),
           line("test_run", R"("test_run":{"run":"a"})"),
           line("test_summary", R"("test_summary":{"passed":1})"),
       }) {
    const reader r{text};
    EXPECT_TRUE(r.is<malformed>()) << text;
    EXPECT_EQ(r.parsed.head->text, "said") << text;
  }
}

TEST(MessageParser, NewMembersAreIgnored) {
  const reader r{hook("apply_start", t_n + R"(,"action":"create","new":{"deep":[1]})")};
  EXPECT_EQ(r.as<apply_start>().resource.addr, "t.n");
  const reader s{
      line("apply_start", R"("hook":{)" + t_n + R"(,"action":"read"},"hooks":[1],"@new":{"a":1})")};
  EXPECT_EQ(s.as<apply_start>().action, hook_action::read);
}

TEST(MessageParser, DroppedMembersAreNotRead) {
  // What a message holds of these members can only be a null or nothing.
  const reader difference{line("diagnostic", R"("diagnostic":{"severity":"error","summary":"s",)"
                                             R"("difference":{"before":"hunter2"}})")};
  EXPECT_TRUE(difference.is<diagnostic>());
  const reader change{
      line("planned_change", R"("change":{)" + t_n +
                                 R"(,"action":"import","importing":{"id":"hunter2"},)"
                                 R"("generated_config":"password = hunter2"})")};
  EXPECT_EQ(change.as<planned_change>().action, "import");
}

}  // namespace
}  // namespace tofud::ui
