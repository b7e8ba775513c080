#include "daemon/api/run_filter.hpp"

#include <gtest/gtest.h>

using namespace tofud;

namespace {

const auto now = *ui::parse_timestamp("2026-11-22T03:12:05Z");
const auto began = *ui::parse_timestamp("2026-11-21T03:12:05Z");

feed::run_view run() {
  feed::run_view made;
  made.id = "20261121T0312-7f3a";
  made.status = feed::run_status::failed;
  made.stack = "github.com/Acme/infra//net@prod";
  made.labels = {{"branch", "main"}, {"pr", "12"}};
  return made;
}

bool shows(const filter_words& words) {
  const auto filter = parse_filter(words, now);
  EXPECT_TRUE(filter) << filter.error().text();
  return matches(*filter, run(), began);
}

std::string refusal(const filter_words& words) {
  const auto filter = parse_filter(words, now);
  return filter ? "" : filter.error().text();
}

}  // namespace

TEST(RunFilter, EmptyOneShowsEverything) {
  EXPECT_TRUE(shows({}));
  EXPECT_TRUE(parse_filter({}, now)->is_empty());
}

TEST(RunFilter, AnyOfTheStatuses) {
  EXPECT_TRUE(shows({{"failed"}, {}, "", ""}));
  EXPECT_TRUE(shows({{"running,failed"}, {}, "", ""}));
  EXPECT_TRUE(shows({{"running", "failed"}, {}, "", ""}));
  EXPECT_FALSE(shows({{"succeeded,lost"}, {}, "", ""}));
}

TEST(RunFilter, AllOfTheLabels) {
  EXPECT_TRUE(shows({{}, {"branch=main", "pr=12"}, "", ""}));
  EXPECT_FALSE(shows({{}, {"branch=main", "pr=13"}, "", ""}));
  EXPECT_FALSE(shows({{}, {"branch="}, "", ""}));
}

TEST(RunFilter, TextInIdStackOrALabelInAnyCase) {
  EXPECT_TRUE(shows({{}, {}, "7F3A", ""}));
  EXPECT_TRUE(shows({{}, {}, "acme/INFRA", ""}));
  EXPECT_TRUE(shows({{}, {}, "MAIN", ""}));
  EXPECT_FALSE(shows({{}, {}, "staging", ""}));
}

TEST(RunFilter, SinceATimeOrAfterARun) {
  EXPECT_TRUE(shows({{}, {}, "", "2026-11-21T03:12:05Z"}));
  EXPECT_FALSE(shows({{}, {}, "", "2026-11-21T03:12:06Z"}));
  EXPECT_TRUE(shows({{}, {}, "", "20261121T0311-ffff"}));
  EXPECT_FALSE(shows({{}, {}, "", "20261121T0312-7f3a"}));
}

TEST(RunFilter, UntilATimeOrBeforeARun) {
  EXPECT_TRUE(shows({{}, {}, "", "", "", "2026-11-21T03:12:06Z"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "", "2026-11-21T03:12:05Z"}));
  EXPECT_TRUE(shows({{}, {}, "", "", "", "20261121T0312-ffff"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "", "20261121T0312-7f3a"}));
}

TEST(RunFilter, DaysAndAgesAsPeopleTypeThem) {
  EXPECT_TRUE(shows({{}, {}, "", "2026-11-21", "", "2026-11-21"}));
  EXPECT_FALSE(shows({{}, {}, "", "2026-11-22"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "", "2026-11-20"}));
  EXPECT_TRUE(shows({{}, {}, "", "24h"}));
  EXPECT_FALSE(shows({{}, {}, "", "1439m"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "", "1d"}));
}

TEST(RunFilter, StackIsThisVeryOne) {
  EXPECT_TRUE(shows({{}, {}, "", "", "github.com/Acme/infra//net@prod"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "github.com/acme/infra//net@prod"}));
  EXPECT_FALSE(shows({{}, {}, "", "", "github.com/Acme/infra//net"}));
}

TEST(RunFilter, AnInvalidFilterIsAnErrorWithItsArgument) {
  EXPECT_EQ(
      refusal({{"odd"}, {}, "", ""}),
      "--status 'odd' is unknown; use running, succeeded, failed, interrupted, lost or unknown");
  EXPECT_EQ(refusal({{}, {"=x"}, "", ""}), "--label '=x' is not KEY=VALUE");
  EXPECT_EQ(
      refusal({{}, {}, "", "yesterday"}),
      "--since 'yesterday' is neither a time such as 2026-11-21T03:00:00Z, 2026-11-21 or 24h, "
      "nor the id of a run");
  EXPECT_EQ(refusal({{}, {}, "", "", "", "24 h"}).substr(0, 16), "--until '24 h' i");
}
