#include "daemon/telemetry/destination.hpp"

#include "daemon/telemetry/errors.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tofud::telemetry {
namespace {

using variables = std::map<std::string, std::string>;

stack::environment of(variables set) {
  return [set = std::move(set)](const char* name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional{found->second};
  };
}

destination read(const variables& set, const wishes& given = {}) {
  auto made = destination_by(given, of(set));
  EXPECT_TRUE(made) << made.error().text();
  return made ? *made : destination{};
}

TEST(Destination, IsNowhereUnlessOneIsNamed) {
  EXPECT_FALSE(read({}).is_on());
  EXPECT_FALSE(read({{"OTEL_TRACES_EXPORTER", "otlp"}}).is_on());
  EXPECT_FALSE(read({{"OTEL_SDK_DISABLED", "TRUE"}}, {"http://a:1", "", ""}).is_on());
}

TEST(Destination, HasThePathsOfTheStandard) {
  const auto both = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/otlp/"}});
  EXPECT_EQ(both.traces->where.target, "/otlp/v1/traces");
  EXPECT_EQ(both.metrics->where.target, "/otlp/v1/metrics");
  EXPECT_EQ(both.traces->where.at.host, "collector");
  EXPECT_EQ(both.traces->where.at.port, 4318);
  EXPECT_EQ(both.traces->where.at.tls, nullptr);
  // One of its own is whole.
  const auto one = read({{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces/x"}});
  EXPECT_EQ(one.traces->where.target, "/x");
  EXPECT_EQ(one.traces->where.at.port, 443);
  EXPECT_NE(one.traces->where.at.tls, nullptr);
  EXPECT_FALSE(one.metrics);
  // Whoever names one in the configuration means that.
  EXPECT_EQ(
      read({{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces/x"}}, {"http://a:1", "", ""})
          .traces->where.at.host,
      "a");
  EXPECT_EQ(read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector"}}).traces->where.at.port, 80);
  EXPECT_EQ(read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://[::1]:4318"}}).traces->where.at.host,
            "::1");
}

TEST(Destination, TakesHeadersAndTimeoutOfOneSignalBeforeThoseOfAll) {
  const auto made = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"},
                          {"OTEL_EXPORTER_OTLP_HEADERS", " api-key = a%20b , x=,"},
                          {"OTEL_EXPORTER_OTLP_METRICS_HEADERS", "y=1"},
                          {"OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", "250"}});
  EXPECT_EQ(made.traces->headers, (std::vector<client::header>{{"api-key", "a b"}, {"x", ""}}));
  EXPECT_EQ(made.metrics->headers, (std::vector<client::header>{{"y", "1"}}));
  EXPECT_EQ(made.metrics->wait, std::chrono::milliseconds{250});
  EXPECT_EQ(made.traces->wait, limits::otlp_wait);
}

TEST(Destination, NamesTheService) {
  const auto of_resource = [](const variables& set) { return *service_attributes(of(set)); };
  EXPECT_EQ(of_resource({}).front().second, "tofud");
  EXPECT_EQ(of_resource({{"OTEL_RESOURCE_ATTRIBUTES", "service.name=a,b=c%3D"}}).front(),
            (std::pair<std::string, std::string>{"service.name", "a"}));
  const auto own = of_resource(
      {{"OTEL_RESOURCE_ATTRIBUTES", "service.name=a,b=c%3D"}, {"OTEL_SERVICE_NAME", "d"}});
  EXPECT_EQ(own.front(), (std::pair<std::string, std::string>{"b", "c="}));
  EXPECT_EQ(own[1].second, "d");
}

TEST(Destination, IsRefusedWithAReason) {
  const auto failure = [](variables set) {
    set.try_emplace("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1");
    return destination_by({}, of(std::move(set))).error();
  };
  for (const char* url :
       {"a:1", "grpc://a:1", "http://a:0", "http://a:1#b", "http://u@a:1", "http://a b:1"})
    EXPECT_TRUE(failure({{"OTEL_EXPORTER_OTLP_ENDPOINT", url}}).is(error::bad_endpoint)) << url;
  EXPECT_TRUE(failure({{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"}}).is(error::other_protocol));
  EXPECT_TRUE(failure({{"OTEL_METRICS_EXPORTER", "prometheus"}}).is(error::other_exporter));
  for (const char* headers : {"a", "=b", "a=%zz", "a b=c", "a=b%0d%0ac: d"})
    EXPECT_TRUE(failure({{"OTEL_EXPORTER_OTLP_HEADERS", headers}}).is(error::bad_pairs)) << headers;
  for (const char* time : {"0", "-1", "soon", "99999999"})
    EXPECT_TRUE(failure({{"OTEL_EXPORTER_OTLP_TIMEOUT", time}}).is(error::bad_timeout)) << time;
  EXPECT_TRUE(failure({{"OTEL_RESOURCE_ATTRIBUTES", "a"}}).is(error::bad_pairs));
}

}  // namespace
}  // namespace tofud::telemetry
