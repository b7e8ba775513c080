#include "daemon/telemetry/run_metrics.hpp"

#include "daemon/exports/otlp.hpp"
#include "daemon/exports/text.hpp"
#include "daemon/telemetry/limits.hpp"
#include "protocol/text/readable.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>

namespace tofud::telemetry {
namespace {

namespace js = boost::json;

/// opentelemetry/proto/metrics/v1/metrics.proto.
constexpr int cumulative = 2;

js::array attributes_of(const std::string& stack, feed::run_status status) {
  js::array made{exports::otlp_attribute("cicd.pipeline.run.state", "executing"),
                 exports::otlp_attribute("cicd.pipeline.result", exports::pipeline_result(status))};
  if (!stack.empty())
    made.push_back(exports::otlp_attribute("cicd.pipeline.name", text::readable_line(stack)));
  if (status != feed::run_status::succeeded)
    made.push_back(exports::otlp_attribute("error.type", feed::name(status)));
  return made;
}

}  // namespace

void run_metrics::add(const feed::run_view& run) {
  key at{run.stack, run.status};
  if (series_.size() >= limits::otlp_series && !series_.contains(at)) at.first.clear();
  series& into = series_[std::move(at)];
  if (const auto took = exports::took(run))
    into.took.add(std::chrono::duration<double>(*took).count());
  if (run.status != feed::run_status::succeeded) ++into.errors;
}

std::string run_metrics::to_json(const std::vector<std::pair<std::string, std::string>>& resource,
                                 ui::time_point now) const {
  const std::string since = exports::otlp_time(since_), time = exports::otlp_time(now);
  js::array durations, errors;
  for (const auto& [at, of] : series_) {
    js::array counts, edges;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      counts.push_back(js::value(std::to_string(of.took.at(i))));
      edges.push_back(bounds[i]);
      below += of.took.at(i);
    }
    counts.push_back(js::value(std::to_string(of.took.count() - below)));
    const js::array attributes = attributes_of(at.first, at.second);
    durations.push_back(js::object{{"attributes", attributes},
                                   {"startTimeUnixNano", since},
                                   {"timeUnixNano", time},
                                   {"count", std::to_string(of.took.count())},
                                   {"sum", of.took.sum()},
                                   {"bucketCounts", std::move(counts)},
                                   {"explicitBounds", std::move(edges)}});
    if (of.errors == 0) continue;
    errors.push_back(js::object{{"attributes", attributes},
                                {"startTimeUnixNano", since},
                                {"timeUnixNano", time},
                                {"asInt", std::to_string(of.errors)}});
  }
  js::array metrics{js::object{{"name", "cicd.pipeline.run.duration"},
                               {"description", "How long runs took."},
                               {"unit", "s"},
                               {"histogram", js::object{{"aggregationTemporality", cumulative},
                                                        {"dataPoints", durations}}}}};
  if (!errors.empty()) {
    metrics.push_back(js::object{{"name", "cicd.pipeline.run.errors"},
                                 {"description", "Runs that did not succeed."},
                                 {"unit", "{error}"},
                                 {"sum", js::object{{"aggregationTemporality", cumulative},
                                                    {"isMonotonic", true},
                                                    {"dataPoints", std::move(errors)}}}});
  }
  const js::object all{
      {"resourceMetrics",
       js::array{
           js::object{{"resource", exports::otlp_resource(resource)},
                      {"scopeMetrics", js::array{js::object{{"scope", exports::otlp_scope()},
                                                            {"metrics", std::move(metrics)}}}}}}}};
  return js::serialize(all);
}

}  // namespace tofud::telemetry
