#include "protocol/feed/encode.hpp"

#include "protocol/feed/forecast.hpp"
#include "protocol/feed/limits.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/feed/encoded.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <vector>

namespace tofud::feed {
namespace {

using tests::at;
using tests::done_step;
using tests::encoded;
using tests::example_diagnostic;
using tests::parsed;
using tests::run_id;
using tests::string_at;

// The line of feed-example.jsonl of this kind and key.
boost::json::object example(std::string_view kind, std::string_view key) {
  std::ifstream file{FEED_EXAMPLE};
  for (std::string line; std::getline(file, line);) {
    boost::json::object object = boost::json::parse(line).as_object();
    if (string_at(object, "kind") == kind && object.contains("key") &&
        string_at(object, "key") == key)
      return object;
  }
  ADD_FAILURE() << "no example of " << kind << ' ' << key;
  return {};
}

// The object without the member that differs: shows what is left to compare.
boost::json::object without(boost::json::object object, std::string_view name) {
  object.erase(boost::json::string_view{name.data(), name.size()});
  return object;
}

// ---- the example of every row ----

TEST(Encode, ResourceBeingReplacedIsAsInTheExample) {
  resource_row row;
  row.addr = "module.net.aws_subnet.a[\"x\"]";
  row.first = 1;
  row.names =
      resource_names::of(row.addr, {"module.net", "managed", "aws_subnet", "a", "\"x\"", "aws"});
  row.plan = {{"replace", planned_details{"cannot_update", "module.net.aws_subnet.b"}}};
  row.status = resource_status::running;
  row.steps = {done_step(1, run_phase::plan, step_action::refresh, "2026-11-21T03:12:06Z",
                         "2026-11-21T03:12:06.41Z"),
               done_step(2, run_phase::apply, step_action::remove, "2026-11-21T03:12:20Z",
                         "2026-11-21T03:12:31.25Z")};
  for (step& s : row.steps) s.id_key = "id", s.id_value = "subnet-1";
  step create;
  create.number = 3;
  create.phase = run_phase::apply;
  create.action = step_action::create;
  create.started_at = at("2026-11-21T03:12:31.251Z");
  create.provisioners = {
      {"local-exec", step_status::done, false, 12, at("2026-11-21T03:12:40Z"),
       at("2026-11-21T03:12:41Z")},
      {"local-exec", step_status::running, false, 3, at("2026-11-21T03:12:41Z"), {}}};
  row.steps.push_back(create);
  row.id_step = 2;
  EXPECT_EQ(parsed(encoded(row, 812)), example("resource", row.addr));
}

TEST(Encode, DataSourceWithAnInferredFailureIsAsInTheExample) {
  resource_row row;
  row.addr = "data.external.probe";
  row.first = 2;
  row.names = resource_names::of(row.addr, {"", "data", "external", "probe", "null", "external"});
  row.status = resource_status::failed;
  row.inferred = true;
  row.steps = {done_step(1, run_phase::plan, step_action::read, "2026-11-21T03:12:06Z",
                         "2026-11-21T03:12:07.1Z")};
  row.steps[0].status = step_status::failed;
  row.steps[0].inferred = true;
  row.diagnostics = {2};
  EXPECT_EQ(parsed(encoded(row, 41)), example("resource", row.addr));
}

TEST(Encode, EphemeralResourceIsAsInTheExample) {
  resource_row row;
  row.addr = "ephemeral.random_password.p";
  row.first = 3;
  row.names =
      resource_names::of(row.addr, {"", "ephemeral", "random_password", "p", "null", "random"});
  row.status = resource_status::done;
  row.steps = {done_step(1, run_phase::plan, step_action::open, "2026-11-21T03:12:06Z",
                         "2026-11-21T03:12:06.01Z"),
               done_step(2, run_phase::plan, step_action::close, "2026-11-21T03:12:08Z",
                         "2026-11-21T03:12:08.001Z")};
  EXPECT_EQ(parsed(encoded(row, 44)), example("resource", row.addr));
}

TEST(Encode, ResourceToBeImportedIsAsInTheExample) {
  resource_row row;
  row.addr = "aws_vpc.imported";
  row.first = 4;
  row.names = resource_names::of(row.addr, {"", "managed", "aws_vpc", "imported", "null", "aws"});
  row.plan = {{"import"}};
  row.status = resource_status::planned;
  EXPECT_EQ(parsed(encoded(row, 50)), example("resource", row.addr));
}

TEST(Encode, DiagnosticIsAsInTheExample) {
  EXPECT_EQ(parsed(encoded(example_diagnostic(), 640)), example("diagnostic", "1"));
}

TEST(Encode, TheAttributeOfADiagnosticHasItsDescription) {
  diagnostic_row row = example_diagnostic();
  row.attribute.emplace();
  row.attribute->type = "aws_subnet";
  row.attribute->path = "cidr_block";
  EXPECT_EQ(parsed(encoded(row, 1)).at("attribute"),
            boost::json::parse(R"({"type":"aws_subnet","path":"cidr_block"})"));
  row.attribute->value_type = "string";
  row.attribute->required = row.attribute->sensitive = true;
  row.attribute->description = "The \"range\".";
  row.attribute->deprecated = "No more.";
  row.attribute->default_value = "[1.0]";
  row.attribute->validators = {"a.B(\"c\")", "d"};
  row.attribute->replacement = "possible";
  EXPECT_EQ(parsed(encoded(row, 1)).at("attribute"), boost::json::parse(R"raw({
    "type":"aws_subnet","path":"cidr_block","value_type":"string","required":true,"sensitive":true,
    "description":"The \"range\".","deprecated":"No more.","default":[1.0],
    "validators":["a.B(\"c\")","d"],"replacement":"possible"})raw"));
}

TEST(Encode, SnippetThatWasDrawnHasItsPath) {
  diagnostic_row row = example_diagnostic();
  EXPECT_FALSE(parsed(encoded(row, 1)).at("snippet").as_object().contains("path"));
  row.snippet->path = "resource.aws_subnet.a[\"b c\"]";
  EXPECT_EQ(parsed(encoded(row, 1)).at("snippet").at("path"), "resource.aws_subnet.a[\"b c\"]");
}

TEST(Encode, OutputsAreAsInTheExample) {
  output_row secret;
  secret.name = "db_url";
  secret.sensitive = true;
  secret.action = "create";
  secret.type = "\"string\"";
  secret.applied = true;
  EXPECT_EQ(parsed(encoded(secret, 900)), example("output", "db_url"));
  output_row count;
  count.name = "count";
  count.action = "create";
  count.type = "\"number\"";
  count.value = "12345678901234567890";
  count.applied = true;
  EXPECT_EQ(parsed(encoded(count, 901)), example("output", "count"));
}

TEST(Encode, HugeOutputIsAsInTheExample) {
  output_row row;
  row.name = "inventory";
  row.action = "create";
  row.type = R"(["list","string"])";
  row.value = "";
  row.applied = true;
  const auto expected = example("output", "inventory");
  const auto bytes = static_cast<std::size_t>(expected.at("bytes").as_int64());
  row.value = "\"" + std::string(bytes - encoded(row, 902, cut::no).size() - 2, 'x') + "\"";
  EXPECT_EQ(parsed(encoded(row, 902)), expected);
}

TEST(Encode, MessageAndTestsAreAsInTheExample) {
  const message_row message{1, "info", "state_lock_acquire",
                            "Acquiring state lock. This may take a few moments...",
                            at("2026-11-21T03:12:05.22Z")};
  EXPECT_EQ(parsed(encoded(message, 2)), example("message", "1"));
  EXPECT_EQ(parsed(encoded(test_file_row{"a.tftest.hcl", "fail"}, 30)),
            example("test_file", "a.tftest.hcl"));
  const test_run_row checks{"a.tftest.hcl", "checks", "error"};
  EXPECT_EQ(key(checks), "a.tftest.hcl + checks");
  EXPECT_EQ(parsed(encoded(checks, 31)), example("test_run", key(checks)));
}

TEST(Encode, LogAndTextLinesAreAsInTheExample) {
  const log_line log{"module.net.aws_subnet.a[\"x\"]",
                     3,
                     2,
                     3,
                     at("2026-11-21T03:12:42Z"),
                     "\x1b[32mready\x1b[0m"};
  EXPECT_EQ(key(log), "module.net.aws_subnet.a[\"x\"] 3 2 3");
  EXPECT_EQ(parsed(encoded(log, 811)), example("log", key(log)));
  EXPECT_EQ(parsed(encoded(text_line{1, "+ deploying"}, 1)), example("text", "1"));
}

run_view example_run() {
  run_view run;
  run.id = run_id;
  run.command = run_command::apply;
  run.status = run_status::running;
  run.phase = run_phase::apply;
  run.tofu = "1.12.6";
  run.ui = "1.2";
  run.labels = {{"workspace", "prod-net"}, {"branch", "main"}};
  run.counts[static_cast<std::size_t>(resource_status::planned)] = 28;
  run.counts[static_cast<std::size_t>(resource_status::running)] = 3;
  run.counts[static_cast<std::size_t>(resource_status::done)] = 9;
  run.counts[static_cast<std::size_t>(resource_status::failed)] = 1;
  run.progress.done = 9;
  run.progress.total = 41;
  run.planned = change_counts{41, 0, 0, 0, 0};
  run.diagnostics.errors = 1;
  run.started_at = at("2026-11-21T03:12:05.120331Z");
  run.last_line_at = at("2026-11-21T03:14:36.0012Z");
  run.lines.messages = 112;
  run.lines.text = 1;
  run.lines.log = 40;
  run.stack = "github.com/acme/infra/net@prod";
  run.failures.first =
      run_view::first_failure{"aws_db_instance.broken", "creating DB Instance: quota exceeded"};
  run.failures.worst = run_view::stranding{"aws_db_instance.broken", 4};
  return run;
}

TEST(Encode, RunsAreAsInTheExample) {
  std::string out;
  encode(out, example_run(), 0);
  EXPECT_EQ(parsed(out), example("run", run_id));
  run_view tests;
  tests.id = "20261121T0305-9ab0.2";
  tests.command = run_command::test;
  tests.status = run_status::failed;
  tests.tofu = "1.12.6";
  tests.ui = "1.2";
  tests.labels = {{"workspace", "prod-net"}, {"branch", "main"}};
  tests.diagnostics.errors = 1;
  tests.started_at = at("2026-11-21T03:05:02Z");
  tests.ended_at = tests.last_line_at = at("2026-11-21T03:05:44Z");
  tests.exit_status = 1;
  tests.lines.messages = 12;
  tests.stack = "github.com/acme/infra/net@prod";
  tests.tests = test_counts{3, 1, 0, 2};
  out.clear();
  encode(out, tests, 0);
  EXPECT_EQ(parsed(out), example("run", tests.id));
}

TEST(Encode, RunOnTheWallCarriesItsSequenceNumber) {
  std::string out;
  encode(out, example_run(), 77);
  EXPECT_EQ(parsed(out).at("seq"), 77);
  EXPECT_EQ(without(parsed(out), "seq"), example("run", run_id));
}

// ---- what holds for all ----

TEST(Encode, EmptyRowsHaveTheSameFieldsAsFullOnes) {
  const auto names = [](const boost::json::object& object) {
    std::set<std::string> all;
    for (const auto& member : object) all.insert(std::string{member.key()});
    return all;
  };
  EXPECT_EQ(names(parsed(encoded(resource_row{}, 1))),
            names(example("resource", "aws_vpc.imported")));
  EXPECT_EQ(names(parsed(encoded(diagnostic_row{}, 1))), names(example("diagnostic", "1")));
  EXPECT_EQ(names(parsed(encoded(output_row{}, 1))), names(example("output", "db_url")));
  EXPECT_EQ(names(parsed(encoded(message_row{}, 1))), names(example("message", "1")));
  EXPECT_EQ(names(parsed(encoded(test_file_row{}, 1))),
            names(example("test_file", "a.tftest.hcl")));
  EXPECT_EQ(names(parsed(encoded(test_run_row{}, 1))),
            names(example("test_run", "a.tftest.hcl + checks")));
  EXPECT_EQ(names(parsed(encoded(text_line{}, 1))), names(example("text", "1")));
  std::string run;
  encode(run, run_view{}, 0);
  // Of the others it is left out.
  EXPECT_EQ(names(parsed(run)),
            names(without(without(example("run", run_id), "strands"), "failure")));
}

TEST(Encode, UnknownFieldsAreNull) {
  const auto diagnostic = parsed(encoded(diagnostic_row{}, 1));
  for (const char* const field : {"address", "range", "snippet", "test_file", "test_run", "at"}) {
    EXPECT_TRUE(diagnostic.at(field).is_null()) << field;
  }
  const auto output = parsed(encoded(output_row{}, 1));
  for (const char* const field : {"action", "type", "deprecated", "applied"})
    EXPECT_TRUE(output.at(field).is_null());
  const auto resource = parsed(encoded(resource_row{}, 1));
  for (const char* const field : {"index", "drift", "activity", "id", "source"}) {
    EXPECT_TRUE(resource.at(field).is_null()) << field;
  }
  EXPECT_TRUE(parsed(encoded(message_row{}, 1)).at("type").is_null());
}

TEST(Encode, AppendsOneObjectWithoutANewline) {
  std::string out = "before";
  encode(out, text_line{1, "a\nb"}, {run_id, 1});
  EXPECT_EQ(
      out,
      R"(before{"kind":"text","key":"1","run":"20261121T0312-7f3a","seq":1,"n":1,"text":"a\nb"})");
}

TEST(Encode, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(string_at(parsed(encoded(text_line{1,
                                               "a\xff"
                                               "b"},
                                     1)),
                      "text"),
            "a\uFFFDb");
}

TEST(Encode, HostileTextStaysInsideItsString) {
  const std::string hostile = "\"},{\"kind\":\"run\"\\\n\r\t\x1b]0;x\a";
  const message_row message{1, hostile, hostile, hostile, {}};
  EXPECT_EQ(string_at(parsed(encoded(message, 1)), "text"), hostile);
  resource_row row;
  row.addr = row.drift = hostile;
  row.names = resource_names::of(hostile, {hostile, hostile, hostile, hostile, "null", hostile});
  step& identified = row.steps.emplace_back();
  identified.id_key = identified.id_value = hostile;
  row.id_step = 1;
  row.plan = {{hostile, planned_details{hostile, hostile}}};
  EXPECT_EQ(string_at(parsed(encoded(row, 1)), "key"), hostile);
  run_view run;
  run.id = run.tofu = run.stack = hostile;
  run.labels = {{hostile, hostile}};
  std::string out;
  encode(out, run, 1);
  EXPECT_EQ(string_at(parsed(out), "stack"), hostile);
}

TEST(Encode, NumbersOfOutputsKeepTheirText) {
  for (const char* const number :
       {"1.0", "1e400", "-0.0", "0.12345678901234567", "123456789012345678901234567890"}) {
    output_row row;
    row.value = "[" + std::string{number} + "]";
    EXPECT_NE(encoded(row, 1).find("\"value\":[" + std::string{number} + "]"), std::string::npos)
        << number;
  }
}

TEST(Encode, SensitiveOutputHasNoValueWhateverTheRowHolds) {
  output_row row;
  row.name = "password";
  row.sensitive = true;
  row.value = "\"hunter2\"";
  EXPECT_EQ(encoded(row, 1).find("hunter2"), std::string::npos);
  EXPECT_FALSE(parsed(encoded(row, 1)).contains("value"));
  EXPECT_FALSE(parsed(encoded(row, 1, cut::no)).contains("value"));
}

TEST(Encode, ElapsedIsInSecondsWithUpToSixDecimalsAndNeverNegative) {
  const auto elapsed = [](std::string_view from, std::string_view to) {
    resource_row row;
    row.steps = {done_step(1, run_phase::apply, step_action::create, from, to)};
    const std::string json = encoded(row, 1);
    const auto start = json.find("\"elapsed\":") + 10;
    return json.substr(start, json.find_first_of(",}", start) - start);
  };
  EXPECT_EQ(elapsed("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.41Z"), "0.41");
  EXPECT_EQ(elapsed("2026-01-01T00:00:00Z", "2026-01-01T00:00:03Z"), "3");
  EXPECT_EQ(elapsed("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000001Z"), "3600.000001");
  EXPECT_EQ(elapsed("2026-01-01T00:00:00.9Z", "2026-01-01T00:00:01.05Z"), "0.15");
  EXPECT_EQ(elapsed("2026-01-01T00:00:01Z", "2026-01-01T00:00:00.3Z"), "0");
}

TEST(Encode, StepWithoutAStartOrAnEndHasNoElapsed) {
  resource_row row;
  step s;
  s.number = 1;
  s.started_at = at("2026-01-01T00:00:00Z");
  row.steps = {s};
  EXPECT_EQ(encoded(row, 1).find("elapsed"), std::string::npos);
  row.steps[0].started_at.reset();
  row.steps[0].ended_at = at("2026-01-01T00:00:00Z");
  EXPECT_EQ(encoded(row, 1).find("elapsed"), std::string::npos);
}

TEST(Encode, ActivityIsTheActionOfTheNewestOpenStep) {
  resource_row row;
  row.steps.resize(3);
  row.steps[0].action = step_action::refresh;
  row.steps[1].action = step_action::remove;
  row.steps[2].action = step_action::create;
  row.steps[2].status = step_status::done;
  EXPECT_EQ(string_at(parsed(encoded(row, 1)), "activity"), "delete");
}

// ---- the limit ----

// ---- what waits for what ----

resource_row row_of(std::string_view addr, std::string_view name, resource_status status,
                    std::uint32_t first) {
  resource_row row;
  row.addr = addr;
  row.first = first;
  row.names = resource_names::of(
      addr, {"", "managed", addr.substr(0, addr.find('.')), name, "null", "aws"});
  row.plan = {{"create"}};
  row.status = status;
  return row;
}

TEST(Encode, WhatAResourceWaitsForIsAsInTheExample) {
  resource_row row = row_of("aws_instance.web", "web", resource_status::planned, 5);
  const named_operations waits{{"aws_db_instance.main", "aws_subnet.a[*]"}, 3};
  const causes why{&waits, nullptr, {}};
  row.causes = &why;
  EXPECT_EQ(parsed(encoded(row, 850)), example("resource", "aws_instance.web"));
}

TEST(Encode, WhatASkippedResourceIsBehindIsAsInTheExample) {
  resource_row row = row_of("aws_route53_record.web", "web", resource_status::skipped, 6);
  const named_operations behind{{"aws_db_instance.main"}, 1};
  const causes why{nullptr, &behind, {}};
  row.causes = &why;
  EXPECT_EQ(parsed(encoded(row, 850)), example("resource", "aws_route53_record.web"));
}

TEST(Encode, WhatAFailedResourceStrandsIsAsInTheExample) {
  resource_row row = row_of("aws_db_instance.broken", "broken", resource_status::failed, 7);
  const causes why{nullptr, nullptr, 9};
  row.causes = &why;
  EXPECT_EQ(parsed(encoded(row, 850)), example("resource", "aws_db_instance.broken"));
}

TEST(Encode, WhatWaitsForASlotAloneWaitsForNothingElse) {
  resource_row row = row_of("aws_instance.web", "web", resource_status::planned, 5);
  const named_operations nothing;
  const causes why{&nothing, nullptr, {}};
  row.causes = &why;
  const boost::json::object object = parsed(encoded(row, 1));
  EXPECT_TRUE(object.at("waiting_for").as_array().empty());
  EXPECT_FALSE(object.contains("waiting_for_more"));
  EXPECT_FALSE(object.contains("behind"));
}

TEST(Encode, TheEstimateOfARunIsAsInTheExample) {
  run_estimate of;
  of.at = at("2026-11-21T03:14:36.0012Z");
  of.p50 = 121.5;
  of.p80 = 180;
  of.path = {{"aws_db_instance.main", step_action::create, 0}};
  of.path_more = 2;
  of.running = {{"aws_db_instance.main", step_action::create, 0},
                {"aws_eip.a", step_action::remove, 75.5}};
  of.slots = 10;
  of.idle_slots = 7;
  of.saved_by_slots = 40;
  std::string text;
  encode(text, run_id, &of);
  EXPECT_EQ(parsed(text), example("forecast", run_id));
}

TEST(Eta, IsARangeThatShrinksAsTimeGoesOn) {
  run_estimate of;
  of.at = at("2026-11-21T03:14:00Z");
  of.p50 = 121;
  of.p80 = 178;
  const auto after = [&](int seconds) { return of.at + std::chrono::seconds{seconds}; };
  EXPECT_EQ(eta_text(of, after(0)), "ETA 2m–3m");
  EXPECT_EQ(eta_text(of, after(100)), "ETA 20s–80s");
  EXPECT_EQ(eta_text(of, after(130)), "ETA 1s–50s");
  EXPECT_EQ(eta_text(of, after(180)), "longer than usual");
  of.p50 = of.p80 = 40;
  EXPECT_EQ(eta_text(of, after(0)), "ETA 40s");
  of.p50 = 3700;
  of.p80 = 7300;
  EXPECT_EQ(eta_text(of, after(0)), "ETA 1h2m–2h2m");
  of.overrun = true;
  EXPECT_EQ(eta_text(of, after(0)), "longer than usual");
}

}  // namespace
}  // namespace tofud::feed
