#include "protocol/diagnostics/consolidated.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::diagnostics {
namespace {

feed::diagnostic_row of(std::string severity, std::string summary, std::string file = {},
                        std::int64_t byte = 0) {
  feed::diagnostic_row row;
  row.severity = std::move(severity);
  row.summary = std::move(summary);
  row.detail = "detail";
  if (!file.empty()) row.range = {std::move(file), {1, 1, byte}, {1, 1, byte + 1}};
  return row;
}

std::vector<std::string> summaries(const std::vector<feed::diagnostic_row>& rows) {
  std::vector<std::string> all;
  for (const auto& each : rows) all.push_back(each.summary);
  return all;
}

TEST(Consolidated, WarningsComeFirstThenWhatHasNoPlaceThenByFileAndPlace) {
  const auto sorted =
      consolidated({of("error", "e2", "main.tf", 9), of("error", "e1", "main.tf", 3),
                    of("error", "e3", "m/main.tf", 1), of("error", "e0"), of("warning", "w")});
  EXPECT_EQ(summaries(sorted), (std::vector<std::string>{"w", "e0", "e1", "e2", "e3"}));
}

TEST(Consolidated, SimilarWarningsWithAPlaceAreOne) {
  const auto two = consolidated({of("warning", "w", "b.tf"), of("warning", "w", "a.tf")});
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].range->filename, "a.tf");
  EXPECT_EQ(two[0].detail, "detail\n\n(and one more similar warning elsewhere)");
  const auto four = consolidated({of("warning", "w", "a.tf"), of("warning", "w", "b.tf"),
                                  of("warning", "w", "c.tf"), of("warning", "w", "d.tf")});
  ASSERT_EQ(four.size(), 1U);
  EXPECT_EQ(four[0].detail, "detail\n\n(and 3 more similar warnings elsewhere)");
}

TEST(Consolidated, ErrorsChecksAndWarningsWithoutAPlaceStayAsTheyAre) {
  const std::string check = "Check block assertion failed";
  const auto kept = consolidated({of("error", "e", "a.tf"), of("error", "e", "b.tf"),
                                  of("warning", check, "a.tf"), of("warning", check, "b.tf"),
                                  of("warning", "w"), of("warning", "w")});
  EXPECT_EQ(kept.size(), 6U);
}

}  // namespace
}  // namespace tofud::diagnostics
