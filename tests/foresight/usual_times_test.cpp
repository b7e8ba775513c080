#include "daemon/foresight/usual_times.hpp"

#include "daemon/foresight/limits.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "tests/correlator/by_hand.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <set>

namespace tofud::foresight {
namespace {

using feed::step_action;
using queries = std::vector<history::usual_query>;
using answers = std::vector<std::optional<feed::usual>>;

class UsualTimes
    : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  UsualTimes() { times_->tell(topics_); }

  static correlator::run_identity identity() {
    correlator::run_identity made;
    made.id = "r";
    made.stack = "net";
    return made;
  }

  /// The history: every create takes a minute, nothing else is known.
  void answer(const queries& asked, const std::function<void(answers)>& found) {
    asked_.insert(asked_.end(), asked.begin(), asked.end());
    largest_ = std::max(largest_, asked.size());
    answers made;
    for (const auto& each : asked) {
      if (each.action == "create")
        made.emplace_back(feed::usual{60, 80, 3, feed::rung::address, false});
      else
        made.emplace_back();
    }
    if (holds_)
      held_ = [found, made] { found(made); };
    else
      found(made);
  }

  std::string sent() {
    fanout::cursor where;
    feed::filter wanted;
    wanted.kinds.set(static_cast<std::size_t>(feed::row_kind::forecast));
    std::string all;
    while (topics_.runs().front().topic.fill(where, wanted, all) == fanout::filled::more) {
    }
    return all;
  }

  boost::asio::io_context io_;
  queries asked_;
  std::size_t largest_ = 0;
  bool holds_ = false;
  std::function<void()> held_;
  pipeline::engine rows_{identity()};
  pipeline::run_topics topics_{rows_, {nullptr, nullptr}};
  std::optional<usual_times> times_{
      std::in_place, io_, rows_,
      [this](queries asked, const auto& found) { answer(asked, found); }};
};

TEST_F(UsualTimes, AreAskedOnceForEachActionThatIsOwed) {
  test::stream by_hand;
  by_hand.version().plan("a.new", "create").plan("a.both", "replace").plan("a.same", "noop");
  by_hand.start("a.new", "create").complete("a.new", "create");
  rows_.feed(by_hand.text());
  io_.run();
  std::multiset<std::string> asked;
  for (const auto& each : asked_) asked.insert(each.addr + " " + each.action + " " + each.stack);
  EXPECT_EQ(asked, (std::multiset<std::string>{"a.both create net", "a.both delete net",
                                               "a.new create net"}));
  ASSERT_NE(times_->of("a.new", step_action::create), nullptr);
  EXPECT_EQ(times_->of("a.new", step_action::create)->p50, 60);
  EXPECT_EQ(times_->of("a.both", step_action::remove), nullptr);
  EXPECT_EQ(times_->of("a.other", step_action::create), nullptr);
}

TEST_F(UsualTimes, ReachSubscribersAsViews) {
  test::stream by_hand;
  by_hand.version().plan("a.new", "create").plan("a.gone", "delete");
  rows_.feed(by_hand.text());
  io_.run();
  const std::string all = sent();
  EXPECT_NE(all.find(R"({"kind":"forecast","key":"a.new","run":"r","usual":{"create":{"p50_s":60,)"
                     R"("p80_s":80,"count":3,"rung":"address","flaky":false}}})"),
            std::string::npos)
      << all;
  EXPECT_EQ(all.find("a.gone"), std::string::npos);
}

TEST_F(UsualTimes, AreAskedInPiecesWhateverThePlan) {
  test::stream by_hand;
  by_hand.version();
  const std::size_t count = 2 * limits::usual_asked + 10;
  for (std::size_t i = 0; i < count; ++i) by_hand.plan("a.x" + std::to_string(i), "create");
  rows_.feed(by_hand.text());
  io_.run();
  EXPECT_EQ(asked_.size(), count);
  EXPECT_LE(largest_, limits::usual_asked);
  EXPECT_NE(times_->of("a.x" + std::to_string(count - 1), step_action::create), nullptr);
}

TEST_F(UsualTimes, AnAnswerThatComesWhenAllIsGoneIsForgotten) {
  holds_ = true;
  test::stream by_hand;
  by_hand.version().plan("a.new", "create");
  rows_.feed(by_hand.text());
  ASSERT_TRUE(held_);
  times_.reset();
  held_();
  io_.run();
}

}  // namespace
}  // namespace tofud::foresight
