#include "daemon/terminal/step_summary.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using feed::resource_status;

class StepSummary : public testing::Test {
 protected:
  StepSummary() {
    run.run.command = feed::run_command::apply;
    run.run.status = feed::run_status::failed;
    run.run.started_at = ui::time_point{std::chrono::seconds{100}};
    run.run.ended_at = ui::time_point{std::chrono::seconds{251}};
  }
  void add(std::string_view addr, resource_status status) {
    auto& row = rows.emplace_back(std::make_unique<feed::resource_row>());
    row->addr = addr;
    row->status = status;
    run.resources.push_back(row.get());
    ++run.run.counts[static_cast<std::size_t>(status)];
  }
  feed::diagnostic_row& complain(const std::string& summary) {
    auto& row = diagnostics.emplace_back(std::make_unique<feed::diagnostic_row>());
    row->severity = "error";
    row->summary = summary;
    run.diagnostics.push_back(row.get());
    return *row;
  }

  std::vector<std::unique_ptr<feed::resource_row>> rows;
  std::vector<std::unique_ptr<feed::diagnostic_row>> diagnostics;
  finished_run run;
};

TEST_F(StepSummary, HasCountsAndATableOfWhatFailed) {
  add("t.a", resource_status::done);
  add("t.b", resource_status::failed);
  add("t.c", resource_status::interrupted);
  complain("Quota").address = "t.b";
  rows[1]->diagnostics.push_back(1);
  complain("Bad backend");
  EXPECT_EQ(step_summary(run, 10'000),
            "### ✗ apply failed\n\n"
            "| resources | took |\n|---|---|\n| 1 done, 1 failed, 1 interrupted | 2m31s |\n\n"
            "| | resource | why |\n|---|---|---|\n"
            "| ✗ failed | t&#46;b | Quota |\n"
            "| never finished | t&#46;c |  |\n"
            "| ✗ error | | Bad backend |\n\n");
}

TEST_F(StepSummary, NamesWhatWasSlowestAndLinksToTheRun) {
  add("t.a", resource_status::done);
  add("t.b", resource_status::done);
  const auto took = [&](std::size_t row, int seconds) {
    feed::step done;
    done.phase = feed::run_phase::apply;
    done.action = feed::step_action::create;
    done.started_at = ui::time_point{std::chrono::seconds{100}};
    done.ended_at = *done.started_at + std::chrono::seconds{seconds};
    rows[row]->steps.push_back(done);
  };
  took(0, 3);
  took(1, 70);
  run.url = "https://tofud.example.com/runs/20261121T0312-7f3a/";
  const std::string text = step_summary(run, 10'000);
  EXPECT_NE(text.find("\n[Open the run](<https://tofud.example.com/runs/20261121T0312-7f3a/>)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| slowest | resource |\n|---|---|\n| 1m10s create | t&#46;b |\n"
                      "| 3.0s create | t&#46;a |\n"),
            std::string::npos)
      << text;
  run.url = "https://x/>) [evil](y";
  EXPECT_EQ(step_summary(run, 10'000).find("evil"), std::string::npos);
}

TEST_F(StepSummary, AFailedResourceHasItsOwner) {
  add("t", resource_status::failed);
  add("u", resource_status::done);
  rows[0]->source = feed::block_source{"main.tf", 1, {"@db", "https://w", {}}};
  rows[1]->source = feed::block_source{"main.tf", 2, {"@other", "", {}}};
  complain("Quota").address = "t";
  rows[0]->diagnostics.push_back(1);
  const std::string text = step_summary(run, 10'000);
  EXPECT_NE(text.find("| ✗ failed | t | Quota · owner &#64;db · runbook https&#58;//w |\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("other"), std::string::npos);
}

TEST_F(StepSummary, TextFromOutsideIsNoMarkup) {
  add("t.n[\"|<img src=x>`*_](http://x)\n## big\"]", resource_status::failed);
  const std::string text = step_summary(run, 10'000);
  const std::string row = text.substr(text.find("| ✗ failed"));
  EXPECT_EQ(row.substr(0, row.find('\n')),
            "| ✗ failed | t&#46;n&#91;&#34;&#124;&#60;img src&#61;x&#62;&#96;&#42;&#95;&#93;&#40;"
            "http&#58;//x&#41; &#35;&#35; big&#34;&#93; |  |");
}

TEST_F(StepSummary, StaysWithinItsRoomAndCountsTheRest) {
  for (int i = 0; i < 1000; ++i) add("t.n", resource_status::failed);
  EXPECT_EQ(step_summary(run, 100), "");
  for (std::size_t room = 0; room < 3000; room += 7) {
    const std::string text = step_summary(run, room);
    EXPECT_LE(text.size(), room);
    if (text.empty()) continue;
    EXPECT_NE(text.find(" more\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace tofud::terminal
