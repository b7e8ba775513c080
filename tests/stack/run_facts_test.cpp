#include "daemon/stack/run_facts.hpp"

#include <gtest/gtest.h>

namespace tofud::stack {
namespace {

std::uint64_t parallelism_of(std::vector<std::string> argv, const char* added = nullptr) {
  const auto env = [added](const char* name) -> std::optional<std::string> {
    if (added == nullptr || std::string_view{name} != "TF_CLI_ARGS_apply") return std::nullopt;
    return added;
  };
  const tofu_command command = parse_command(std::move(argv), env);
  return run_facts_of(command, {"/nowhere", "", std::nullopt, std::nullopt, "host"}).parallelism;
}

TEST(RunFacts, HowMuchMayRunAtOnceStandsInTheArguments) {
  EXPECT_EQ(parallelism_of({"tofu", "apply"}), 0U);
  EXPECT_EQ(parallelism_of({"tofu", "apply", "-parallelism=3"}), 3U);
  EXPECT_EQ(parallelism_of({"tofu", "apply", "-parallelism", "30", "plan.tfplan"}), 30U);
  EXPECT_EQ(parallelism_of({"tofu", "apply", "-parallelism=many"}), 0U);
  EXPECT_EQ(parallelism_of({"tofu", "apply"}, "-parallelism=5"), 5U);
}

}  // namespace
}  // namespace tofud::stack
