// How long runs took and how often they failed, as metrics of OpenTelemetry.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/text/histogram.hpp"
#include "protocol/ui/timestamp.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tofud::telemetry {

/// Counts since it was made. A copy is written on another thread.
class run_metrics {
 public:
  explicit run_metrics(ui::time_point since) : since_{since} {}

  /// A run that is over. Of more stacks than limits::otlp_series they share one without a name.
  void add(const feed::run_view& run);
  bool is_empty() const { return series_.empty(); }

  /// The body of a request to `/v1/metrics`: cicd.pipeline.run.duration, a histogram of seconds,
  /// and cicd.pipeline.run.errors, by cicd.pipeline.name and cicd.pipeline.result; cumulative.
  /// https://opentelemetry.io/docs/specs/semconv/cicd/cicd-metrics
  std::string to_json(const std::vector<std::pair<std::string, std::string>>& resource,
                      ui::time_point now) const;

 private:
  /// In seconds: plans take some, applies minutes or hours.
  static constexpr std::array<double, 12> bounds{1,   2,   5,     10,    30,    60,
                                                 120, 300, 1'200, 3'600, 7'200, 21'600};
  struct series {
    text::histogram took{bounds};
    std::uint64_t errors = 0;
  };
  using key = std::pair<std::string, feed::run_status>;  // the stack; how it ended

  ui::time_point since_;
  std::map<key, series> series_;
};

}  // namespace tofud::telemetry
