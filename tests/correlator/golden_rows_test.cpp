// Expected rows of a selection of recordings, reviewed by eye against plan, state and human output.
// TOFUD_UPDATE_GOLDEN=1 writes them anew; the difference is then to be read like code.
#include "tests/correlator/recorded.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tofud::test {
namespace {

struct golden {
  const char* scenario;
  const char* stem;
};

class GoldenRows : public testing::TestWithParam<golden> {};

TEST_P(GoldenRows, AreWhatTheStreamFoldsInto) {
  const auto [scenario, stem] = GetParam();
  const std::filesystem::path stream =
      std::filesystem::path{TEST_RECORDINGS} / scenario / (std::string{stem} + ".jsonl");
  const std::filesystem::path expected =
      std::filesystem::path{TEST_GOLDEN} / "rows" / (std::string{scenario} + "." + stem + ".jsonl");
  const std::string rows = rows_of(stem, read_file(stream).value());
  if (std::getenv("TOFUD_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(expected.parent_path());
    std::ofstream{expected} << rows;
  }
  std::ifstream file{expected};
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(rows, text.str());
}

INSTANTIATE_TEST_SUITE_P(
    Selection, GoldenRows,
    testing::Values(
        golden{"apply-provider-errors", "stream"}, golden{"apply-saved-plan", "stream"},
        golden{"data-read-during-apply", "stream"},
        golden{"data-read-during-apply", "second-apply"},
        golden{"diag-conditions-checks", "stream"},
        golden{"diag-cycle-and-misuse", "prevent-destroy"}, golden{"drift-apply", "stream"},
        golden{"drift-update-certificate", "refresh-only"},
        golden{"emergency-state-dump", "stream"}, golden{"ephemeral-resources", "stream"},
        golden{"import-blocks", "stream"}, golden{"init-streams", "missing-module"},
        golden{"interrupted-saved-plan", "stale"}, golden{"interrupted-sigint-once", "stream"},
        golden{"interrupted-sigint-twice", "stream"}, golden{"json-into-approval", "declined"},
        golden{"killed-sigkill-mid-apply", "stream"}, golden{"moved-blocks", "stream"},
        golden{"outputs-all-types", "stream"}, golden{"outputs-changed-plan", "stream"},
        golden{"pipeline-init-plan-apply-one-stream", "stream"}, golden{"plan-noop", "norefresh"},
        golden{"provisioner-destroy-time", "failing-destroy"},
        golden{"provisioner-fail-exit3", "stream"},
        golden{"provisioner-on-failure-continue", "stream"},
        golden{"refresh-only-no-drift", "saved"}, golden{"removed-forget", "stream"},
        golden{"replace-cbd-deposed-left", "cleanup"}, golden{"replace-cbd-two-deposed", "stream"},
        golden{"replace-reasons", "stream"}, golden{"state-lock-contention", "waiting"},
        golden{"test-fail-error-skip", "stream"},
        golden{"test-none-and-interrupt", "cleanup-fails"},
        golden{"version-terraform-1.17-actions", "stream"},
        golden{"version-terraform-1.9.8", "test"},
        golden{"validate-output-other-json", "state-list"},
        golden{"test-none-and-interrupt", "sigint-twice"},
        golden{"target-exclude-warnings", "stream"}, golden{"removed-forget", "destroy"},
        golden{"removed-forget", "plan.stream"}, golden{"replace-cbd-two-deposed", "interrupted-2"},
        golden{"replace-cbd-two-deposed", "plan.stream"},
        golden{"provisioner-fail-exit3", "next-apply"},
        golden{"drift-update-refresh-only", "refresh"},
        golden{"drift-update-refresh-only", "stream"},
        golden{"diag-conditions-checks", "plan.stream"}, golden{"delete-reasons", "stream"},
        golden{"import-generate-config", "stream"}, golden{"interrupted-sigterm", "plan-sigint"},
        golden{"provisioner-sensitive-suppressed", "stream"},
        golden{"moved-blocks", "plan-refresh-only"}, golden{"test-pass-verbose", "verbose"},
        golden{"validate-output-other-json", "workspace-list"}),
    [](const testing::TestParamInfo<golden>& each) {
      std::string name = std::string{each.param.scenario} + "_" + each.param.stem;
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace tofud::test
