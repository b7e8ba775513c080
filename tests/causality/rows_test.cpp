// What rows say of waiting and failing while a recorded apply is folded, with what a daemon keeps
// of its plan and its configuration, against the program's own graph, after each line.
#include "daemon/correlator/run_state.hpp"
#include "daemon/correlator/snapshot.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/order/plan_knowledge.hpp"
#include "protocol/order/progress.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/redact/masked_plan.hpp"
#include "protocol/ui/parse_message.hpp"
#include "tests/causality/recorded_apply.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/order/plain_names.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace tofud::test {
namespace {

using order::effect;
using order::progress_of;
using order::vertex;

class no_sink : public correlator::row_sink {
 public:
  void changed(correlator::run_state&, feed::row_change what) override {
    changed_.push_back(what.row);
  }
  std::vector<feed::row_number> take() { return std::exchange(changed_, {}); }

 private:
  std::vector<feed::row_number> changed_;
};

/// As a set: plan, stream and graph have their own orders of first appearance.
std::string text_of(const feed::named_operations* some) {
  if (some == nullptr) return "nothing";
  std::string text;
  for (const std::string& each : std::set<std::string>{some->names.begin(), some->names.end()})
    text += each + " ";
  return text + "and " + std::to_string(some->more);
}

/// The program's graph, and what the stream has done to it.
class reference {
 public:
  explicit reference(const order::order& of) : of_{of}, at_{of} {
    for (const vertex each : of.operations()) rows_[of.at(each)->address].push_back(each);
  }

  void take(const hook& said) {
    const auto before = said.what == hook::kind::start ? progress_of::owed : progress_of::running;
    const auto after = said.what == hook::kind::start      ? progress_of::running
                       : said.what == hook::kind::complete ? progress_of::done
                                                           : progress_of::failed;
    vertex found = order::no_vertex;
    for (const vertex each : rows_[said.address]) {
      if (of_.at(each)->what != said.effect || at_.get(each) != before) continue;
      if (found == order::no_vertex || at_.waits_for(each).empty()) found = each;
    }
    if (found != order::no_vertex) at_.set(found, after);
  }

  const std::map<std::string, std::vector<vertex>>& rows() const { return rows_; }

  /// What a row says of waiting, as text.
  std::string waiting_for(const std::string& address) const {
    std::vector<vertex> next;
    for (const vertex each : rows_.at(address)) {
      const auto now = at_.get(each);
      if (now == progress_of::running || now == progress_of::failed) return "nothing";
      if (now == progress_of::owed) next.push_back(each);
    }
    // The next one is that before which is none of its own.
    std::erase_if(next, [&](vertex each) {
      return std::any_of(next.begin(), next.end(),
                         [&](vertex other) { return other != each && is_before(other, each); });
    });
    if (next.empty() || !at_.failed_before(next.front()).empty()) return "nothing";
    const auto told = named(of_, at_.waits_for(next.front()));
    return text_of(&told);
  }

  std::string behind(const std::string& address) const {
    std::set<vertex> all;
    for (const vertex each : rows_.at(address)) {
      if (at_.get(each) == progress_of::failed) return "nothing";
      if (at_.get(each) != progress_of::owed) continue;
      for (const vertex failed : at_.failed_before(each)) all.insert(failed);
    }
    if (all.empty()) return "nothing";
    const auto told = named(of_, {all.begin(), all.end()});
    return text_of(&told);
  }

  std::optional<std::uint64_t> strands(const std::string& address) const {
    for (const vertex each : rows_.at(address)) {
      if (at_.get(each) != progress_of::failed) continue;
      std::uint64_t count = 0;
      for (const auto& [other, operations] : rows_) {
        if (other == address) continue;
        count += std::any_of(operations.begin(), operations.end(),
                             [&](vertex one) { return is_before(each, one); });
      }
      return count;
    }
    return std::nullopt;
  }

 private:
  bool is_before(vertex one, vertex other) const {
    std::set<vertex> seen;
    std::vector<vertex> open{other};
    while (!open.empty()) {
      const vertex at = open.back();
      open.pop_back();
      for (const vertex before : of_.before(at)) {
        if (before == one) return true;
        if (seen.insert(before).second) open.push_back(before);
      }
    }
    return false;
  }

  const order::order& of_;
  order::progress at_;
  std::map<std::string, std::vector<vertex>> rows_;
};

correlator::run_attachments attached(const std::string& name) {
  const auto folder = recording_folder(name);
  const std::string text = tests::read_file(folder + "plan.json");
  const std::string kept = *redact::masked_plan(*plan::read(text), nullptr);
  const auto plan = *plan::read(kept);
  correlator::run_attachments made;
  made.plan = std::make_shared<const attachments::plan_facts>(*attachments::plan_facts::read(plan));
  made.order = std::make_shared<const order::plan_knowledge>(order::knowledge_in(plan));
  made.config = std::make_shared<const attachments::config_facts>(read_apply(name).config);
  return made;
}

/// The order as the program would have it if it knew of the state what a plan tells.
order::order known_order(const recorded_apply& apply) {
  return order::build(apply.planned, {&apply.config, &apply.prior, apply.program_waits});
}

/// Without anything else that is known of it.
correlator::run_identity nameless() {
  correlator::run_identity made;
  made.id = "run";
  return made;
}

/// Something is deleted there whose block is gone with all that depended on it, and that was to be
/// created before it is destroyed. The state file alone says so, which nobody attaches.
const std::set<std::string> told_by_the_state_alone{"opentofu-random-09", "opentofu-random-19",
                                                    "random-19", "random-37"};

class Rows : public testing::TestWithParam<std::string> {};

TEST_P(Rows, SayWhatTheOrderSaysAfterEachLine) {
  if (told_by_the_state_alone.contains(GetParam())) return;
  const recorded_apply apply = read_apply(GetParam());
  const order::order of = known_order(apply);
  reference expected{of};
  no_sink sink;
  correlator::stream_fold fold{nameless(), sink};
  fold.attach(attached(GetParam()));
  std::istringstream lines{tests::read_file(recording_folder(GetParam()) + "stream.jsonl")};
  std::size_t hooks = 0, compared = 0;
  std::map<std::string, std::string> said_before;
  for (std::string line; std::getline(lines, line);) {
    const auto hook_here = hooks_in(line);
    fold.feed(line + "\n");
    correlator::run_state& run = fold.runs().back();
    const auto changed = sink.take();
    if (!hook_here.empty()) {
      ++hooks;
      expected.take(hook_here.front());
    }
    for (const auto& [address, operations] : expected.rows()) {
      const auto number = run.find(feed::row_kind::resource, address);
      if (!number) continue;
      const feed::causes* said = run.resource(*number)->causes;
      const feed::causes none;
      const feed::causes& now = said == nullptr ? none : *said;
      std::string encoded;
      run.encode(encoded, *number, 1, feed::cut::no);
      std::string& before = said_before[address];
      if (before != encoded) {
        EXPECT_NE(std::find(changed.begin(), changed.end(), *number), changed.end())
            << address << " differs and nobody is told: " << line;
      }
      before = encoded;
      if (hooks == 0 || hook_here.empty()) continue;
      ++compared;
      ASSERT_EQ(text_of(now.waiting_for), expected.waiting_for(address)) << address << "\n" << line;
      ASSERT_EQ(text_of(now.behind), expected.behind(address)) << address << "\n" << line;
      ASSERT_EQ(now.strands, expected.strands(address)) << address << "\n" << line;
    }
  }
  EXPECT_EQ(fold.runs().back().contradictions(), 0U);
  if (!apply.hooks.empty()) {
    EXPECT_GT(compared, 0U);
  }
  fold.end();
  for (const correlator::resource_state& each : fold.runs().back().resources()) {
    if (each.row.causes != nullptr) {
      EXPECT_EQ(each.row.causes->waiting_for, nullptr);
    }
  }
}

TEST_P(Rows, AreTheSameAfterASnapshotAtEachLine) {
  const std::string stream = tests::read_file(recording_folder(GetParam()) + "stream.jsonl");
  const correlator::run_attachments known = attached(GetParam());
  no_sink sink;
  correlator::stream_fold whole{nameless(), sink};
  whole.attach(known);
  std::istringstream lines{stream};
  const auto rows_of = [](const correlator::stream_fold& fold) {
    std::string all;
    const correlator::run_state& run = fold.runs().back();
    for (feed::row_number row = 0; row < run.rows(); ++row) {
      run.encode(all, row, run.seq(row), feed::cut::no);
      all.push_back('\n');
    }
    return all;
  };
  auto going_on = std::make_unique<correlator::stream_fold>(nameless(), sink);
  going_on->attach(known);
  for (std::string line; std::getline(lines, line);) {
    whole.feed(line + "\n");
    going_on->feed(line + "\n");
    const std::string snapshot = correlator::snapshot_of(*going_on, "build");
    auto restored = std::make_unique<correlator::stream_fold>(nameless(), sink);
    ASSERT_TRUE(correlator::restore(*restored, snapshot, "build", std::vector{known}).empty());
    going_on = std::move(restored);
    ASSERT_EQ(rows_of(*going_on), rows_of(whole));
  }
}

INSTANTIATE_TEST_SUITE_P(Applies, Rows, testing::ValuesIn(recorded_applies()),
                         [](const auto& apply) {
                           std::string name = apply.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RowsOfAll, AreAsTheProgramsOwnGraphHasThem) {
  std::size_t compared = 0, differ = 0;
  for (const std::string& name : recorded_applies()) {
    if (told_by_the_state_alone.contains(name)) continue;
    const recorded_apply apply = read_apply(name);
    const order::order of = known_order(apply);
    reference ours{of}, its{apply.oracle};
    std::size_t hooks = 0;
    for (const hook& each : apply.hooks) {
      ours.take(each);
      its.take(each);
      if (++hooks % 7 != 1 && hooks < apply.hooks.size()) continue;
      for (const auto& [address, operations] : ours.rows()) {
        ++compared;
        const bool same = ours.waiting_for(address) == its.waiting_for(address) &&
                          ours.behind(address) == its.behind(address);
        if (!same) ++differ;
        if (!same && differ < 12)
          ADD_FAILURE() << name << ": " << address << "\n  ours: " << ours.waiting_for(address)
                        << " | " << ours.behind(address) << "\n  its:  " << its.waiting_for(address)
                        << " | " << its.behind(address);
      }
    }
  }
  EXPECT_GT(compared, 5'000U);
  EXPECT_EQ(differ, 0U) << "of " << compared;
}

TEST(RowsOfAll, SayOnceThatTheStreamContradictsAndGoOn) {
  std::size_t contradicted = 0;
  for (const std::string& name : told_by_the_state_alone) {
    no_sink sink;
    correlator::stream_fold fold{nameless(), sink};
    fold.attach(attached(name));
    fold.feed(tests::read_file(recording_folder(name) + "stream.jsonl"));
    fold.end();
    const correlator::run_state& run = fold.runs().back();
    std::size_t said = 0;
    for (feed::row_number row = 0; row < run.rows(); ++row) {
      const feed::message_row* message = run.message(row);
      said += message != nullptr &&
                      message->text.starts_with("the attached plan or configuration is not")
                  ? 1
                  : 0;
    }
    EXPECT_EQ(said, run.contradictions() > 0 ? 1U : 0U) << name;
    contradicted += run.contradictions();
  }
  EXPECT_GT(contradicted, 1U);
}

}  // namespace
}  // namespace tofud::test
