#include "daemon/operations/exposition.hpp"

#include <gtest/gtest.h>

namespace tofud::operations {
namespace {

using namespace std::chrono_literals;

TEST(Exposition, HasFamiliesWithTheirSamples) {
  exposition all;
  all.counter("a_total", "What a is.");
  all.sample({{"kind", "x"}, {"of", "y"}}, 3);
  all.gauge("b", "What b is.");
  all.sample(0.25);
  EXPECT_EQ(all.text(),
            "# HELP a_total What a is.\n# TYPE a_total counter\na_total{kind=\"x\",of=\"y\"} 3\n"
            "# HELP b What b is.\n# TYPE b gauge\nb 0.25\n");
}

TEST(Exposition, EscapesLabels) {
  exposition all;
  all.gauge("a", "A.");
  all.sample({{"l", "q\" b\\ n\n"}}, 1);
  EXPECT_NE(all.text().find("a{l=\"q\\\" b\\\\ n\\n\"} 1\n"), std::string::npos);
}

TEST(Exposition, BucketsOfAHistogramAddUp) {
  text::duration_histogram counted;
  counted.add(100us);
  counted.add(3ms);
  counted.add(100s);
  exposition all;
  all.histogram("h_seconds", "H.", counted);
  const auto& text = all.text();
  EXPECT_NE(text.find("h_seconds_bucket{le=\"0.0005\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("h_seconds_bucket{le=\"0.0025\"} 1\n"), std::string::npos);
  EXPECT_NE(text.find("h_seconds_bucket{le=\"0.005\"} 2\n"), std::string::npos);
  EXPECT_NE(text.find("h_seconds_bucket{le=\"30\"} 2\n"), std::string::npos);
  EXPECT_NE(text.find("h_seconds_bucket{le=\"+Inf\"} 3\n"), std::string::npos);
  EXPECT_NE(text.find("h_seconds_count 3\n"), std::string::npos);
  EXPECT_NE(text.find("h_seconds_sum 100.0031\n"), std::string::npos);
}

TEST(Exposition, ABoundIsInItsBucket) {
  text::duration_histogram counted;
  counted.add(1ms);
  EXPECT_EQ(counted.at(1), 1U);
  EXPECT_EQ(counted.at(0), 0U);
}

}  // namespace
}  // namespace tofud::operations
