#include "daemon/exports/otlp.hpp"

#include "daemon/exports/limits.hpp"
#include "tests/exports/rows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

namespace tofud::exports {
namespace {

using test::hostile;
using test::small_run;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::vector<boost::json::object> spans_of(const trace_requests& made) {
  std::vector<boost::json::object> all;
  for (const std::string& body : made.bodies) {
    const auto read = boost::json::parse(body).as_object();
    const auto& one = read.at("resourceSpans").as_array().at(0).as_object();
    const auto& scope = one.at("scopeSpans").as_array().at(0).as_object();
    for (const auto& span : scope.at("spans").as_array()) all.push_back(span.as_object());
  }
  return all;
}

std::string attribute(const boost::json::object& of, std::string_view key) {
  for (const auto& each : of.at("attributes").as_array()) {
    const auto& one = each.as_object();
    if (one.at("key").as_string() != key) continue;
    const auto& value = one.at("value").as_object().begin()->value();
    return std::string{value.as_string()};
  }
  return "";
}

TEST(Otlp, HasASpanForTheRunEachOperationAndEachProvisioner) {
  small_run run;
  run.rows().run.stack = "net/prod";
  auto& made = run.resource("aws_vpc.main", feed::resource_status::done, 1, 4);
  feed::provisioner of;
  of.name = "local-exec";
  of.status = feed::step_status::done;
  of.started_at = test::at_second(2);
  of.ended_at = test::at_second(3);
  of.lines = 7;
  made.steps[0].provisioners.push_back(of);
  const auto spans =
      spans_of(otlp_traces(run.rows(), {{{"service.name", "x"}}, {}, "https://p"}, no_limit));
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[0].at("name").as_string(), "create aws_vpc.main");
  EXPECT_EQ(spans[1].at("name").as_string(), "provisioner local-exec");
  EXPECT_EQ(spans[2].at("name").as_string(), "apply net/prod");
  EXPECT_EQ(spans[1].at("parentSpanId").as_string(), spans[0].at("spanId").as_string());
  EXPECT_EQ(spans[0].at("parentSpanId").as_string(), spans[2].at("spanId").as_string());
  EXPECT_FALSE(spans[2].contains("parentSpanId"));
  EXPECT_EQ(attribute(spans[0], "opentofu.resource_instance.address"), "aws_vpc.main");
  EXPECT_EQ(attribute(spans[1], "tofud.provisioner.lines"), "7");
  EXPECT_EQ(attribute(spans[2], "cicd.pipeline.run.url.full"), "https://p");
  EXPECT_EQ(spans[0].at("startTimeUnixNano").as_string(), "1000000001000000000");
}

TEST(Otlp, GivesARunTheSameIdsEachTime) {
  small_run run;
  run.resource("a.b", feed::resource_status::done);
  EXPECT_EQ(otlp_traces(run.rows(), {}, no_limit).bodies,
            otlp_traces(run.rows(), {}, no_limit).bodies);
  small_run other;
  other.rows().run.id = "another";
  EXPECT_NE(spans_of(otlp_traces(run.rows(), {}, no_limit)).back().at("traceId"),
            spans_of(otlp_traces(other.rows(), {}, no_limit)).back().at("traceId"));
}

TEST(Otlp, IsAChildOfWhatBeganTheTrace) {
  small_run run;
  run.resource("a.b", feed::resource_status::done);
  const events::trace_parent parent{std::string(32, 'a'), std::string(16, 'b'), true};
  for (const auto& span : spans_of(otlp_traces(run.rows(), {{}, parent, ""}, no_limit)))
    EXPECT_EQ(span.at("traceId").as_string(), parent.trace);
  EXPECT_EQ(spans_of(otlp_traces(run.rows(), {{}, parent, ""}, no_limit))
                .back()
                .at("parentSpanId")
                .as_string(),
            parent.span);
}

TEST(Otlp, SaysWhatFailedAndWhy) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  auto& bad = run.resource("a.b", feed::resource_status::failed);
  bad.steps[0].status = feed::step_status::failed;
  auto& why = run.diagnostic("error", "quota", &bad);
  why.range = feed::source_range{"main.tf", {12, 1, 0}, {12, 5, 4}};
  const auto spans = spans_of(otlp_traces(run.rows(), {}, no_limit));
  EXPECT_EQ(spans[0].at("status").as_object().at("code").as_int64(), 2);
  EXPECT_EQ(spans[0].at("status").as_object().at("message").as_string(), "quota");
  EXPECT_EQ(attribute(spans[0], "cicd.pipeline.task.run.result"), "failure");
  const auto& events = spans[1].at("events").as_array();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(attribute(events.at(0).as_object(), "code.file.path"), "main.tf");
  EXPECT_EQ(attribute(events.at(0).as_object(), "code.line.number"), "12");
}

TEST(Otlp, IsSentInPartsAndWithinItsRoom) {
  small_run run;
  for (int i = 0; i < 1'500; ++i) run.resource("a.b", feed::resource_status::done);
  const auto all = otlp_traces(run.rows(), {}, no_limit);
  EXPECT_EQ(all.bodies.size(), 3U);
  EXPECT_EQ(all.spans, 1'501U);
  const auto some = otlp_traces(run.rows(), {}, 50'000);
  EXPECT_EQ(some.spans + some.left_out, 1'501U);
  EXPECT_GT(some.left_out, 1'000U);
  EXPECT_EQ(attribute(spans_of(some).back(), "tofud.spans_left_out"),
            std::to_string(some.left_out));
}

TEST(Otlp, TakesTextsOfAnyone) {
  small_run run;
  const std::string name = std::string{hostile} + std::string(5'000, 'x');
  run.rows().run.stack = name;
  run.rows().run.status = feed::run_status::failed;
  run.resource(name, feed::resource_status::failed);
  for (int i = 0; i < 200; ++i) run.diagnostic("error", name);
  const auto made = otlp_traces(run.rows(), {}, no_limit);
  const auto spans = spans_of(made);
  EXPECT_EQ(spans.back().at("events").as_array().size(), limits::otlp_errors);
  EXPECT_LT(made.bodies.front().size(), 2 * limits::otlp_errors * limits::otlp_text_bytes);
  EXPECT_EQ(made.bodies.front().find('\x1b'), std::string::npos);
}

TEST(Otlp, OfARunWithoutABeginningThereIsNothing) {
  small_run run;
  run.rows().run.started_at.reset();
  EXPECT_TRUE(otlp_traces(run.rows(), {}, no_limit).bodies.empty());
}

}  // namespace
}  // namespace tofud::exports
