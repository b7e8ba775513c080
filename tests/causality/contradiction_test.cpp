// No operation of a recorded stream begins before what is before it in our order has ended.
#include "protocol/order/progress.hpp"
#include "tests/causality/recorded_apply.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace tofud::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> with_a_plan() {
  std::vector<std::string> found;
  for (const auto& each : fs::directory_iterator{TEST_RECORDINGS}) {
    if (fs::exists(each.path() / "plan.json")) found.push_back(each.path().filename());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Contradictions : public testing::TestWithParam<std::string> {};

/// Begun while something before it was not over.
std::vector<std::string> contradictions(const order::order& of, const std::vector<hook>& hooks) {
  std::vector<std::string> found;
  order::progress at{of};
  for (const hook& each : hooks) {
    const bool starts = each.what == hook::kind::start;
    for (const order::vertex operation : of.operations()) {
      const order::operation& what = *of.at(operation);
      if (what.address != each.address || what.what != each.effect) continue;
      const auto wanted = starts ? order::progress_of::owed : order::progress_of::running;
      if (at.get(operation) != wanted) continue;
      if (starts && !at.waits_for(operation).empty())
        found.push_back(name_of(what) + " began before " +
                        name_of(*of.at(at.waits_for(operation).front())) + " ended");
      at.set(operation, starts                              ? order::progress_of::running
                        : each.what == hook::kind::complete ? order::progress_of::done
                                                            : order::progress_of::failed);
      break;
    }
  }
  return found;
}

TEST_P(Contradictions, ThereAreNone) {
  const fs::path folder = fs::path{TEST_RECORDINGS} / GetParam();
  const recorded_apply apply = read_stream(folder, "stream.jsonl");
  const order::order ours =
      order::build(apply.planned, {&apply.config, &apply.prior, apply.program_waits});
  const auto found = contradictions(ours, apply.hooks);
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i)
    ADD_FAILURE() << found[i];
}

INSTANTIATE_TEST_SUITE_P(Recordings, Contradictions, testing::ValuesIn(with_a_plan()),
                         [](const auto& recording) {
                           std::string name = recording.param;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(ContradictionsOfApplies, AreNone) {
  std::size_t begun = 0;
  for (const std::string& name : recorded_applies()) {
    const recorded_apply apply = read_apply(name);
    const order::known_objects known = order::merged(apply.prior, apply.state);
    const order::order ours =
        order::build(apply.planned, {&apply.config, &known, apply.program_waits});
    EXPECT_EQ(contradictions(ours, apply.hooks), std::vector<std::string>{}) << name;
    begun += apply.hooks.size();
  }
  EXPECT_GT(begun, 500U);
}

}  // namespace
}  // namespace tofud::test
