#include "daemon/telemetry/run_metrics.hpp"

#include "daemon/telemetry/limits.hpp"
#include "tests/exports/rows.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <string>

namespace tofud::telemetry {
namespace {

using exports::test::at_second;

feed::run_view run(std::string stack, double seconds, feed::run_status status) {
  feed::run_view made;
  made.stack = std::move(stack);
  made.status = status;
  made.started_at = at_second(0);
  made.ended_at = at_second(seconds);
  return made;
}

boost::json::array metrics_of(const run_metrics& of) {
  const auto all =
      boost::json::parse(of.to_json({{"service.name", "x"}}, at_second(9))).as_object();
  const auto& one = all.at("resourceMetrics").as_array().at(0).as_object();
  return one.at("scopeMetrics").as_array().at(0).as_object().at("metrics").as_array();
}

TEST(RunMetrics, CountDurationsAndErrorsByStackAndResult) {
  run_metrics of{at_second(0)};
  EXPECT_TRUE(of.is_empty());
  of.add(run("a", 3, feed::run_status::succeeded));
  of.add(run("a", 7'300, feed::run_status::succeeded));
  of.add(run("a", 99'999, feed::run_status::failed));
  const auto metrics = metrics_of(of);
  ASSERT_EQ(metrics.size(), 2U);
  const auto& points =
      metrics.at(0).as_object().at("histogram").as_object().at("dataPoints").as_array();
  ASSERT_EQ(points.size(), 2U);
  const auto& good = points.at(0).as_object();
  EXPECT_EQ(good.at("count").as_string(), "2");
  EXPECT_EQ(good.at("sum").as_double(), 7'303.0);
  EXPECT_EQ(boost::json::serialize(good.at("bucketCounts")),
            R"(["0","0","1","0","0","0","0","0","0","0","0","1","0"])");
  EXPECT_EQ(boost::json::serialize(points.at(1).as_object().at("bucketCounts")),
            R"(["0","0","0","0","0","0","0","0","0","0","0","0","1"])");
  EXPECT_EQ(boost::json::serialize(metrics.at(1)
                                       .as_object()
                                       .at("sum")
                                       .as_object()
                                       .at("dataPoints")
                                       .as_array()
                                       .at(0)
                                       .as_object()
                                       .at("asInt")),
            R"("1")");
}

TEST(RunMetrics, HaveSoManySeriesAndNoMore) {
  run_metrics of{at_second(0)};
  for (std::size_t i = 0; i < limits::otlp_series + 500; ++i)
    of.add(run("stack " + std::to_string(i), 1, feed::run_status::succeeded));
  const auto metrics = metrics_of(of);
  const auto& points =
      metrics.at(0).as_object().at("histogram").as_object().at("dataPoints").as_array();
  EXPECT_EQ(points.size(), limits::otlp_series + 1);
}

}  // namespace
}  // namespace tofud::telemetry
