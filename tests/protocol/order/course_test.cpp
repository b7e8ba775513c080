// What waits for what while an apply goes on, against the plain definition, asked at each moment.
#include "protocol/order/course.hpp"

#include "protocol/order/limits.hpp"
#include "protocol/order/progress.hpp"
#include "tests/protocol/order/plain_names.hpp"
#include "tests/protocol/order/random_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tofud::order {
namespace {

using feed::named_operations;
using test::named;

std::string text_of(const named_operations* some);
std::string text_of(const named_operations& some) { return text_of(&some); }

std::string text_of(const named_operations* some) {
  if (some == nullptr) return "nothing known";
  std::string text;
  for (const std::string& each : some->names) text += each + " ";
  return text + "and " + std::to_string(some->more);
}

/// An apply as it goes on: what can begin does, at most `slots` at once, in an order made by
/// chance.
class apply {
 public:
  apply(const order& of, std::mt19937& chance, double failures)
      : of_{of}, chance_{chance}, failures_{failures}, at_{of}, left_(of.size()) {
    for (vertex each = 0; each < of.size(); ++each) left_[each] = of.before(each).size();
    for (vertex each = 0; each < of.size(); ++each) {
      if (of.before(each).empty()) open(each);
    }
  }

  /// The next to begin or to end, with what it becomes; false: all is done.
  bool next(vertex& which, progress_of& becomes) {
    const bool begins = !ready_.empty() && (running_.size() < slots_ || running_.empty()) &&
                        (running_.empty() || test::below(chance_, 2) == 0);
    if (!begins && running_.empty()) return false;
    auto& from = begins ? ready_ : running_;
    const std::size_t place = test::below(chance_, from.size());
    which = from[place];
    from[place] = from.back();
    from.pop_back();
    becomes = progress_of::running;
    if (begins) {
      running_.push_back(which);
    } else {
      const bool fails = std::bernoulli_distribution{failures_}(chance_);
      becomes = fails ? progress_of::failed : progress_of::done;
      if (!fails) close(which);
    }
    at_.set(which, becomes);
    return true;
  }

  const progress& at() const { return at_; }

 private:
  void open(vertex each) {
    if (of_.at(each) != nullptr)
      ready_.push_back(each);
    else
      close(each);
  }
  void close(vertex each) {
    for (const vertex after : of_.after(each)) {
      if (--left_[after] == 0) open(after);
    }
  }

  const order& of_;
  std::mt19937& chance_;
  double failures_;
  progress at_;
  std::size_t slots_ = 10;
  std::vector<std::size_t> left_;
  std::vector<vertex> ready_, running_;
};

void take(course& into, vertex which, progress_of becomes) {
  if (becomes == progress_of::running) {
    EXPECT_TRUE(into.begin(which));
  }
  if (becomes == progress_of::done) into.finish(which);
  if (becomes == progress_of::failed) into.fail(which);
}

/// What `ours` says of one, and the definition.
void expect_same(const order& of, const progress& at, course& ours, vertex each) {
  const auto failed = at.failed_before(each);
  const group in = ours.group_of(each);
  const std::string name = of.at(each)->address;
  ASSERT_EQ((ours.behind(in) != nullptr), !failed.empty()) << name;
  if (failed.empty()) {
    EXPECT_EQ(text_of(ours.waiting_for(in)), text_of(named(of, at.waits_for(each)))) << name;
  } else {
    EXPECT_EQ(text_of(ours.waiting_for(in)), text_of(nullptr)) << name;
    EXPECT_EQ(text_of(ours.behind(in)), text_of(named(of, failed))) << name;
  }
}

TEST(Course, SaysWhatTheDefinitionSaysAtEachMoment) {
  std::mt19937 chance{20261125};
  std::size_t compared = 0, behind = 0;
  for (int round = 0; round < 40; ++round) {
    const order of =
        test::random_order(chance, {20 + test::below(chance, 120), test::below(chance, 12),
                                    1 + test::below(chance, 14), 1 + test::below(chance, 4)});
    course ours{of};
    ASSERT_FALSE(ours.too_large());
    apply goes{of, chance, round % 3 == 0 ? 0.1 : 0.0};
    vertex which = no_vertex;
    progress_of becomes{};
    std::size_t step = 0;
    do {
      if (which != no_vertex) take(ours, which, becomes);
      for (const vertex each : of.operations()) {
        // All at the beginning, then some.
        if (step > 0 && (each + step) % 11 != 0) continue;
        if (goes.at().get(each) != progress_of::owed) continue;
        expect_same(of, goes.at(), ours, each);
        behind += (ours.behind(ours.group_of(each)) != nullptr) ? 1 : 0;
        ++compared;
        if (HasFatalFailure()) return;
      }
      ++step;
    } while (goes.next(which, becomes));
    EXPECT_EQ(ours.contradictions(), 0U);
  }
  EXPECT_GT(compared, 10'000U);
  EXPECT_GT(behind, 500U);
}

TEST(Course, NamesEachGroupWhoseTextDiffersAndNoOther) {
  std::mt19937 chance{7};
  std::size_t changes = 0;
  for (int round = 0; round < 60; ++round) {
    const order of = test::random_order(chance, {60 + test::below(chance, 100), 8, 12, 3});
    course ours{of};
    std::map<group, std::pair<std::string, std::string>> before;
    const auto look = [&](group each) {
      return std::pair{text_of(ours.waiting_for(each)), text_of(ours.behind(each))};
    };
    for (const vertex each : of.operations())
      before[ours.group_of(each)] = look(ours.group_of(each));
    apply goes{of, chance, round % 2 == 0 ? 0.05 : 0.0};
    vertex which = no_vertex;
    for (progress_of becomes{}; goes.next(which, becomes);) {
      take(ours, which, becomes);
      const auto told = ours.take_changed();
      const std::set<group> changed{told.begin(), told.end()};
      ASSERT_EQ(changed.size(), told.size());
      for (auto& [each, text] : before) {
        if (changed.contains(each)) ++changes;
        const auto now = look(each);
        EXPECT_EQ(now != text, changed.contains(each)) << text.first << " | " << now.first;
        text = now;
      }
    }
  }
  EXPECT_GT(changes, 1'000U);
}

TEST(Course, CountsWhatAFailureStrands) {
  std::mt19937 chance{11};
  for (int round = 0; round < 40; ++round) {
    const order of = test::random_order(chance, {80, 8, 6, 3});
    for (const vertex each : of.operations()) {
      course ours{of};
      progress at{of};
      at.set(each, progress_of::failed);
      std::set<std::string> stranded;
      for (const vertex other : of.operations()) {
        if (!at.failed_before(other).empty()) stranded.insert(of.at(other)->address);
      }
      stranded.erase(of.at(each)->address);
      EXPECT_EQ(ours.strands(each), stranded.size());
    }
  }
}

/// 5,000 behind 5,000 others, between two hubs.
order two_blocks(std::size_t instances) {
  order made;
  const vertex between = made.add_hub();
  for (std::size_t i = 0; i < instances; ++i)
    made.connect(made.add({"t.a[" + std::to_string(i) + "]"}), between, origin::configuration);
  for (std::size_t i = 0; i < instances; ++i)
    made.connect(between, made.add({"t.b[" + std::to_string(i) + "]"}), origin::configuration);
  return made;
}

TEST(Course, TellsOfABlockSixTimesAtMost) {
  const order of = two_blocks(5000);
  course ours{of};
  const group waits = ours.group_of(of.operations()[5000]);
  EXPECT_EQ(ours.unfinished(waits).size(), 5000U);
  EXPECT_EQ(text_of(ours.waiting_for(waits)), "t.a[*] and 0");
  std::size_t changes = 0;
  for (std::size_t i = 0; i < 5000; ++i) {
    ours.begin(of.operations()[i]);
    ours.finish(of.operations()[i]);
    changes += ours.take_changed().size();
    if (i == 4996) {
      EXPECT_EQ(text_of(ours.waiting_for(waits)), "t.a[4997] t.a[4998] t.a[4999] and 0");
    }
  }
  EXPECT_EQ(changes, 6U);
  EXPECT_EQ(text_of(ours.waiting_for(waits)), "and 0");
}

TEST(Course, TellsOfFailuresOfABlockSixTimesAtMost) {
  const order of = two_blocks(5000);
  course ours{of};
  const group waits = ours.group_of(of.operations()[5000]);
  std::size_t changes = 0;
  for (std::size_t i = 0; i < 5000; ++i) {
    ours.begin(of.operations()[i]);
    ours.fail(of.operations()[i]);
    changes += ours.take_changed().size();
    if (i == 1) {
      EXPECT_EQ(text_of(ours.behind(waits)), "t.a[0] t.a[1] and 0");
    }
  }
  EXPECT_EQ(changes, 6U);
  EXPECT_EQ(text_of(ours.behind(waits)), "t.a[*] and 0");
}

/// One behind all of many blocks.
order many_blocks(std::size_t count) {
  order made;
  for (std::size_t i = 0; i < count; ++i) made.add({"t.a" + std::to_string(i)});
  const vertex last = made.add({"t.last"});
  for (std::size_t i = 0; i < count; ++i)
    made.connect(made.operations()[i], last, origin::configuration);
  return made;
}

TEST(Course, NamesTwentyAndCountsTheOthers) {
  const order of = many_blocks(25);
  course ours{of};
  const auto told = ours.waiting_for(ours.group_of(of.operations().back()));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->names.size(), 20U);
  EXPECT_EQ(told->names.front(), "t.a0");
  EXPECT_EQ(told->more, 5U);
}

TEST(Course, OfManyBlocksItTellsAPowerOfTwo) {
  const order of = many_blocks(1000);
  course ours{of};
  const group last = ours.group_of(of.operations().back());
  EXPECT_EQ(text_of(ours.waiting_for(last)), "and 512");
  std::size_t changes = 0;
  for (std::size_t i = 0; i < 970; ++i) {
    ours.finish(of.operations()[i]);
    changes += ours.take_changed().size();
  }
  EXPECT_EQ(changes, 6U);  // 256, 128, 64, 32, 16, names
  EXPECT_EQ(ours.waiting_for(last)->names.size(), 20U);
}

TEST(Course, ForgetsWhatIsContradicted) {
  order of;
  const vertex a = of.add({"t.a"}), b = of.add({"t.b[0]"}), b1 = of.add({"t.b[1]"}),
               c = of.add({"t.c"});
  const vertex hub = of.add_hub(), behind = of.add_hub();
  of.connect(a, hub, origin::configuration);
  of.connect(hub, b, origin::configuration);
  of.connect(hub, b1, origin::configuration);
  of.connect(b, behind, origin::configuration);
  of.connect(b1, behind, origin::configuration);
  of.connect(behind, c, origin::configuration);
  course ours{of};
  EXPECT_FALSE(ours.begin(b));
  EXPECT_EQ(ours.contradictions(), 1U);
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(b1))), text_of(nullptr));
  EXPECT_EQ(ours.take_changed(), std::vector<group>{ours.group_of(b1)});
  ours.begin(a);
  ours.fail(a);  // nothing is behind it any more
  EXPECT_FALSE((ours.behind(ours.group_of(c)) != nullptr));
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(c))), "t.b[0] t.b[1] and 0");
  EXPECT_EQ(ours.strands(a), 0U);
}

TEST(Course, BelievesNothingAfterManyContradictions) {
  order of;
  std::vector<vertex> all{of.add({"t.first"})};
  for (int i = 0; i < 40; ++i) {
    all.push_back(of.add({"t.a" + std::to_string(i)}));
    of.connect(all[all.size() - 2], all.back(), origin::configuration);
  }
  course ours{of};
  for (std::size_t i = 1; i <= 21; ++i) ours.begin(all[i]);
  EXPECT_TRUE(ours.given_up());
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(all[30]))), text_of(nullptr));
}

TEST(Course, OfACircleNothingIsKnown) {
  order of;
  const vertex a = of.add({"t.a"}), b = of.add({"t.b"}), c = of.add({"t.c"}), d = of.add({"t.d"});
  of.connect(a, b, origin::configuration);
  of.connect(b, c, origin::configuration);
  of.connect(c, b, origin::configuration);
  of.connect(c, d, origin::configuration);
  course ours{of};
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(a))), "and 0");
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(b))), text_of(nullptr));
  EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(d))), text_of(nullptr));
}

TEST(Course, OfTwentyThousandByChanceItSaysTheSame) {
  std::mt19937 chance{5};
  const order of = test::random_order(chance, {20'000, 500, 1, 3});
  course ours{of};
  ASSERT_FALSE(ours.too_large());
  apply goes{of, chance, 0.0};
  vertex which = no_vertex;
  progress_of becomes{};
  for (std::size_t step = 0; goes.next(which, becomes); ++step) {
    take(ours, which, becomes);
    if (step % 4999 != 0) continue;
    for (std::size_t i = step % 61; i < of.operations().size(); i += 4001) {
      const vertex each = of.operations()[i];
      if (goes.at().get(each) != progress_of::owed) continue;
      EXPECT_EQ(text_of(ours.waiting_for(ours.group_of(each))),
                text_of(named(of, goes.at().waits_for(each))));
    }
  }
}

}  // namespace
}  // namespace tofud::order
