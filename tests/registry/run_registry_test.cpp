#include "daemon/registry/run_registry.hpp"

#include "daemon/api/feed_route.hpp"
#include "tests/correlator/by_hand.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tofud::registry {
namespace {

class some_source : public run_source {
 public:
  bool live = true;
  files::stream_bytes bytes() const override {
    return [](std::uint64_t, std::span<char>) { return std::size_t{0}; };
  }
  bool goes_on() const override { return live; }
};

feed::run_view named(const std::string& id) {
  feed::run_view view;
  view.id = id;
  return view;
}

/// A run whose rows are in memory.
struct folded {
  explicit folded(const std::string& id) : rows{identity(id)}, topics{rows, {}} {
    rows.feed(test::stream{}.version().text());
  }
  static correlator::run_identity identity(const std::string& id) {
    correlator::run_identity made;
    made.id = id;
    return made;
  }
  pipeline::engine rows;
  pipeline::run_topics topics;
};

class Registry : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  shown_run& add(const std::string& id, int second) {
    return runs_.add(from_.emplace_back(), named(id), ui::time_point{std::chrono::seconds{second}});
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const feed::run_view& view : runs_.views(me_)) all.push_back(view.id);
    return all;
  }

  static constexpr std::size_t wall_runs = 2;
  const access::principal& me_ = access::own_user();
  boost::asio::io_context io_;
  fanout::hub hub_{io_, hub_options_of_this_build()};
  fanout::wall wall_{"wall00"};
  std::deque<some_source> from_;
  run_rows rows_{wall_, wall_runs};
  run_registry runs_{hub_, rows_};
};

TEST_F(Registry, RunsAreFoundByIdAndTheLatestByItsLastData) {
  EXPECT_EQ(runs_.latest(me_), "");
  EXPECT_EQ(runs_.find("latest", me_), nullptr);
  add("b", 2);
  add("a", 1);
  EXPECT_EQ(ids(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(runs_.latest(me_), "b");
  EXPECT_EQ(runs_.find("latest", me_), runs_.of_id("b"));
  EXPECT_EQ(runs_.find("a", me_)->id(), "a");
  EXPECT_EQ(runs_.of_id("latest"), nullptr);
  add("c", 2);  // of two of one time the one that came last
  EXPECT_EQ(runs_.latest(me_), "c");
  runs_.remove(*runs_.of_id("c"));
  EXPECT_EQ(runs_.latest(me_), "b");
  EXPECT_EQ(runs_.find("c", me_), nullptr);
}

TEST_F(Registry, ARunIsReadableWhileItsRowsAreInMemory) {
  shown_run& run = add("r", 1);
  EXPECT_FALSE(runs_.readable("r", me_));
  folded rows{"r"};
  runs_.offer(run, rows.topics.runs().front());
  const auto readable = runs_.readable("latest", me_);
  ASSERT_TRUE(readable);
  EXPECT_EQ(readable->run, &rows.topics.runs().front());
  EXPECT_TRUE(hub_.admit("run=r", {}).topic);
  EXPECT_TRUE(hub_.admit("run=latest", {}).topic);
  EXPECT_EQ(runs_.find("r", me_)->view().tofu, "1.12.6");
  runs_.withdraw(run);
  EXPECT_FALSE(runs_.readable("r", me_));
  EXPECT_FALSE(hub_.admit("run=r", {}).topic);
  EXPECT_EQ(runs_.find("r", me_)->view().tofu, "1.12.6");  // as it was last
}

TEST_F(Registry, TheOldestThatAreOverLeaveTheWall) {
  shown_run &first = add("a", 1), &second = add("b", 2), &third = add("c", 3),
            &fourth = add("d", 4);
  for (shown_run* each : {&first, &second}) runs_.changed(*each);
  from_[1].live = false;
  runs_.changed(third);
  EXPECT_TRUE(rows_.has(first));  // it goes on
  EXPECT_FALSE(rows_.has(second));
  EXPECT_TRUE(rows_.has(third));
  runs_.changed(fourth);  // nobody is over: all are shown
  EXPECT_TRUE(rows_.has(first));
  EXPECT_TRUE(rows_.has(third));
  EXPECT_TRUE(rows_.has(fourth));
}

}  // namespace
}  // namespace tofud::registry
