// Our order of an apply against the program's own, at every line of its stream.
#include "protocol/order/progress.hpp"
#include "tests/causality/recorded_apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tofud::test {
namespace {

using order::progress;
using order::progress_of;
using order::vertex;

std::map<std::string, vertex> operations_of(const order::order& of) {
  std::map<std::string, vertex> all;
  for (const vertex each : of.operations()) all.emplace(name_of(*of.at(each)), each);
  return all;
}

std::set<std::string> names(const order::order& of, const std::vector<vertex>& some) {
  std::set<std::string> all;
  for (const vertex each : some) all.insert(name_of(*of.at(each)));
  return all;
}

std::string text_of(const std::set<std::string>& some) {
  std::string all;
  for (const std::string& each : some) all += (all.empty() ? "" : ", ") + each;
  return all.empty() ? "nothing" : all;
}

/// One graph and how far it is.
struct side {
  explicit side(const order::order& graph) : of{graph}, at{graph}, by_name{operations_of(graph)} {}

  /// Of the operations that the hook may mean the first that can be so far.
  void take(const hook& said) {
    const auto before = said.what == hook::kind::start ? progress_of::owed : progress_of::running;
    const auto after = said.what == hook::kind::start      ? progress_of::running
                       : said.what == hook::kind::complete ? progress_of::done
                                                           : progress_of::failed;
    const std::string name = name_of({said.address, said.effect, ""});
    for (const auto& [known, each] : by_name) {
      if (known != name && !known.starts_with(name + " deposed ")) continue;
      if (at.get(each) != before) continue;
      at.set(each, after);
      return;
    }
  }

  const order::order& of;
  progress at;
  std::map<std::string, vertex> by_name;
};

class Oracle : public testing::TestWithParam<std::string> {};

/// All differences of the two, and how many sets were compared.
std::size_t compare(const recorded_apply& apply, const order::order& ours,
                    std::set<std::string>& differences) {
  side here{ours}, there{apply.oracle};
  std::size_t compared = 0;
  const auto look = [&](std::size_t line) {
    for (const auto& [name, vertex] : here.by_name) {
      const auto other = there.by_name.find(name);
      if (other == there.by_name.end()) {
        differences.insert(name + " is no operation of the program's");
        continue;
      }
      if (here.at.get(vertex) == progress_of::done) continue;
      ++compared;
      const auto mine = names(ours, here.at.waits_for(vertex));
      const auto its = names(apply.oracle, there.at.waits_for(other->second));
      if (mine != its)
        differences.insert("line " + std::to_string(line) + ": " + name + " waits for " +
                           text_of(mine) + "; the program's: " + text_of(its));
      const auto stranded = names(ours, here.at.failed_before(vertex));
      const auto its_stranded = names(apply.oracle, there.at.failed_before(other->second));
      if (stranded != its_stranded)
        differences.insert("line " + std::to_string(line) + ": " + name + " is behind " +
                           text_of(stranded) + "; the program's: " + text_of(its_stranded));
    }
  };
  look(0);
  for (std::size_t i = 0; i < apply.hooks.size(); ++i) {
    here.take(apply.hooks[i]);
    there.take(apply.hooks[i]);
    look(i + 1);
  }
  for (const auto& [name, vertex] : there.by_name) {
    if (!here.by_name.contains(name)) differences.insert(name + " is no operation of ours");
  }
  return compared;
}

TEST_P(Oracle, SetsAreTheProgramsAtEveryLine) {
  const recorded_apply apply = read_apply(GetParam());
  const order::known_objects known = order::merged(apply.prior, apply.state);
  const order::order ours =
      order::build(apply.planned, {&apply.config, &known, apply.program_waits});
  std::set<std::string> differences;
  compare(apply, ours, differences);
  std::size_t shown = 0;
  for (const std::string& each : differences) {
    if (++shown <= 6) ADD_FAILURE() << each;
  }
  EXPECT_EQ(differences.size(), 0U);
}

/// Whether all that one order says the other says, too.
bool says_no_more(const order::order& one, const order::order& than) {
  const auto others = operations_of(than);
  const progress begun{one}, begun_there{than};
  for (const vertex each : one.operations()) {
    const auto before = names(one, begun.waits_for(each));
    for (const std::string& name : before) {
      std::set<vertex> seen;
      std::vector<vertex> open{others.at(name_of(*one.at(each)))};
      bool found = false;
      while (!open.empty() && !found) {
        const vertex at = open.back();
        open.pop_back();
        for (const vertex earlier : than.before(at)) {
          found |= earlier == others.at(name);
          if (seen.insert(earlier).second) open.push_back(earlier);
        }
      }
      if (!found) return false;
    }
  }
  return true;
}

TEST(OracleOfAll, ThePlansConfigurationSaysNothingThatIsNotSo) {
  std::size_t whole = 0;
  for (const std::string& name : recorded_applies()) {
    const recorded_apply apply = read_apply(name);
    const order::known_objects known = order::merged(apply.prior, apply.state);
    const order::order ours =
        order::build(apply.planned, {&apply.plan_config, &known, apply.program_waits});
    EXPECT_TRUE(says_no_more(ours, apply.oracle)) << name;
    std::set<std::string> differences;
    compare(apply, ours, differences);
    if (differences.empty()) ++whole;
  }
  EXPECT_GT(whole, 60U);  // the others go through locals
}

TEST(OracleOfAll, ComparesManySetsAndSeesAWrongOrder) {
  std::size_t compared = 0, seen = 0;
  for (const std::string& name : recorded_applies()) {
    const recorded_apply apply = read_apply(name);
    std::set<std::string> differences;
    // Without a configuration or a state everything begins at once.
    compared += compare(apply, order::build(apply.planned, {}), differences);
    if (!differences.empty()) ++seen;
  }
  EXPECT_GT(compared, 10'000U);
  EXPECT_GT(seen, 60U);
}

/// Whether one operation is before another, however far.
bool is_before(const order::order& of, vertex one, vertex other) {
  std::set<vertex> seen;
  std::vector<vertex> open{other};
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of.before(at)) {
      if (before == one) return true;
      if (seen.insert(before).second) open.push_back(before);
    }
  }
  return false;
}

TEST(ProgramsLog, WhoItSaysWaitsForWhomDoesInOurOrder) {
  std::size_t judged = 0;
  for (const std::string& name : recorded_applies()) {
    const recorded_apply apply = read_apply(name);
    if (apply.waits.empty()) continue;
    const order::known_objects known = order::merged(apply.prior, apply.state);
    const order::order ours =
        order::build(apply.planned, {&apply.config, &known, apply.program_waits});
    const auto by_name = operations_of(ours);
    for (const auto& [who, whom] : apply.waits) {
      const auto from = apply.oracle_names.find(who), to = apply.oracle_names.find(whom);
      if (from == apply.oracle_names.end() || to == apply.oracle_names.end()) continue;
      const auto* waits = apply.oracle.at(from->second);
      const auto* blocks = apply.oracle.at(to->second);
      if (waits == nullptr || blocks == nullptr) continue;
      ++judged;
      EXPECT_TRUE(is_before(ours, by_name.at(name_of(*blocks)), by_name.at(name_of(*waits))))
          << name << ": " << who << " waits for " << whom;
    }
  }
  EXPECT_GT(judged, 0U);
}

TEST(ProgramsLog, WhatItSkipsIsBehindAFailureInOurOrderAndNothingElseIs) {
  std::size_t skipped = 0;
  for (const std::string& name : recorded_applies()) {
    const recorded_apply apply = read_apply(name);
    const order::known_objects known = order::merged(apply.prior, apply.state);
    const order::order ours =
        order::build(apply.planned, {&apply.config, &known, apply.program_waits});
    side here{ours}, there{apply.oracle};
    for (const hook& each : apply.hooks) {
      here.take(each);
      there.take(each);
    }
    for (const auto& [vertex_name, vertex] : apply.oracle_names) {
      const auto* what = apply.oracle.at(vertex);
      if (what == nullptr || there.at.get(vertex) != progress_of::owed) continue;
      const bool skips = apply.skips.contains(vertex_name);
      skipped += skips ? 1 : 0;
      EXPECT_EQ(skips, !here.at.failed_before(here.by_name.at(name_of(*what))).empty())
          << name << ": " << vertex_name;
    }
  }
  EXPECT_GT(skipped, 20U);
}

INSTANTIATE_TEST_SUITE_P(Applies, Oracle, testing::ValuesIn(recorded_applies()),
                         [](const auto& apply) {
                           std::string name = apply.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tofud::test
