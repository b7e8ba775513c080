#include "daemon/terminal/run_table.hpp"

#include "daemon/terminal/cells.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using namespace std::chrono_literals;
using texts = std::vector<std::string>;

const std::chrono::system_clock::time_point now{std::chrono::seconds{1'000'000'000}};

const style plain;
const style coloured{true, charset::utf8};
const style ascii{false, charset::ascii};

listed_run failed_apply() {
  listed_run listed;
  listed.began = now - 3h;
  listed.run.id = "20261121T0312-7f3a";
  listed.run.command = feed::run_command::apply;
  listed.run.status = feed::run_status::failed;
  listed.run.stack = "github.com/acme/infrastructure//network/production@default";
  listed.run.progress.done = 12;
  listed.run.progress.total = 41;
  listed.run.counts[static_cast<std::size_t>(feed::resource_status::failed)] = 2;
  listed.run.started_at = ui::time_point{0s};
  listed.run.ended_at = ui::time_point{151s};
  return listed;
}

TEST(RunTable, HasEverythingWhereNothingLimitsIt) {
  EXPECT_EQ(run_table({failed_apply()}, now, 0, plain),
            (texts{"RUN                 WHEN    COMMAND  STACK                                     "
                   "                  STATUS   DONE  FAILED   TOOK",
                   "20261121T0312-7f3a  3h ago  apply    "
                   "github.com/acme/infrastructure//network/production@default  failed  12/41      "
                   " 2  2m31s"}));
}

TEST(RunTable, NeverIsWiderThanTheTerminalAndNamesTheRunAlways) {
  for (std::size_t width = 30; width < 160; ++width) {
    for (const std::string& line : run_table({failed_apply()}, now, width, plain)) {
      EXPECT_LE(cells(line), width) << line;
    }
    EXPECT_TRUE(
        run_table({failed_apply()}, now, width, plain)[1].starts_with("20261121T0312-7f3a"));
  }
}

TEST(RunTable, TakesFromTheMiddleOfTheStackFirst) {
  EXPECT_EQ(run_table({failed_apply()}, now, 88, plain)[1],
            "20261121T0312-7f3a  3h ago  apply    github.com…on@default  failed  12/41       2  "
            "2m31s");
  EXPECT_EQ(run_table({failed_apply()}, now, 88, ascii)[1],
            "20261121T0312-7f3a  3h ago  apply    github.co...n@default  failed  12/41       2  "
            "2m31s");
}

TEST(RunTable, ColoursTheStatusAlone) {
  const std::string line = run_table({failed_apply()}, now, 0, coloured)[1];
  EXPECT_NE(line.find("  \x1b[31mfailed\x1b[0m  "), std::string::npos) << line;
}

TEST(RunTable, AnEmptyColumnIsNotShown) {
  listed_run plan;
  plan.run.id = "20261121T0312-7f3a";
  plan.run.status = feed::run_status::running;
  plan.began = now;
  EXPECT_EQ(run_table({plan}, now, 0, plain),
            (texts{"RUN                 WHEN      COMMAND  STATUS",
                   "20261121T0312-7f3a  just now  other    running"}));
}

TEST(RunTable, ARunThatWasNotReadHasItsSize) {
  listed_run large;
  large.run.id = "20261121T0312-7f3a";
  large.began = now;
  large.read = false;
  large.bytes = 3ULL << 30U;
  EXPECT_EQ(run_table({large}, now, 0, plain)[1],
            "20261121T0312-7f3a  just now  not read (3072 MiB)");
}

TEST(RunTable, TextFromOutsideIsCleanedAndStaysOnItsLine) {
  listed_run listed = failed_apply();
  listed.run.stack = "a\x1b[2J\x1b]0;t\a\nb\tc";
  const std::string line = run_table({listed}, now, 0, coloured)[1];
  EXPECT_NE(line.find("a b c"), std::string::npos) << line;
  EXPECT_EQ(line.find_first_of("\n\t\a"), std::string::npos);
  EXPECT_EQ(line.find("\x1b[2J"), std::string::npos);
}

TEST(AgeText, UsesTheLargestUnitThatIsNotZero) {
  EXPECT_EQ(age_text(-5s), "just now");
  EXPECT_EQ(age_text(59s), "just now");
  EXPECT_EQ(age_text(60s), "1m ago");
  EXPECT_EQ(age_text(59min), "59m ago");
  EXPECT_EQ(age_text(47h), "47h ago");
  EXPECT_EQ(age_text(48h), "2d ago");
}

}  // namespace
}  // namespace tofud::terminal
