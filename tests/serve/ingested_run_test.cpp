#include "daemon/serve/ingested_run.hpp"

#include "daemon/serve/limits.hpp"
#include "tests/journal/opened_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <map>
#include <thread>

namespace tofud::serve {
namespace {

/// A run that the journal has, without a registry.
class IngestedRun : public testing::Test {
 protected:
  std::shared_ptr<ingested_run> made(journal::kept_run kept = {}) {
    kept.header = journal::some_run();
    EXPECT_EQ(journal_.create(kept.header), "");
    return std::make_shared<ingested_run>(
        journal_.loop, ingested_run::threads{worker_, worker_, limits::gib},
        ingested_run::logs{*journal_.it, *journal_.it}, std::move(kept), correlator::text_policy{},
        fanout::topic_limits{},
        ingested_run::listeners{[this](ingested_run&, pipeline::run&) { ++folds_; },
                                [](ingested_run&, pipeline::run&) {}, [](ingested_run&) {},
                                &counts_});
  }

  /// Runs `what` beside the test; it is to succeed.
  void start(net::task<text::failure> what) {
    const auto over = [](const std::exception_ptr& thrown, const text::failure& failure) {
      EXPECT_FALSE(thrown);
      EXPECT_EQ(failure.text(), "");
    };
    boost::asio::co_spawn(journal_.loop, std::move(what), over);
    poll();
  }
  void poll() {
    journal_.loop.restart();
    journal_.loop.poll();
  }

  ingest_counts counts_;
  journal::scratch_root root_;
  journal::opened_store journal_{root_.path()};
  net::worker_thread worker_{journal_.loop};
  int folds_ = 0;
};

TEST_F(IngestedRun, IsAddedToByOneAfterTheOther) {
  const auto run = made();
  std::vector<std::string> said;
  std::map<std::string, net::turn> held;
  const auto enter = [&](const std::string& who) {
    boost::asio::co_spawn(journal_.loop, run->alone(),
                          [&, who](const std::exception_ptr&, net::turn alone) {
                            said.push_back(who + (alone ? "" : " waited in vain"));
                            held[who] = std::move(alone);
                          });
    poll();
  };
  const auto leave = [&](const std::string& who) {
    held.erase(who);
    poll();
  };
  enter("a");
  enter("b");
  enter("c");
  EXPECT_EQ(said, (std::vector<std::string>{"a"}));
  leave("a");
  EXPECT_EQ(said, (std::vector<std::string>{"a", "b"}));
  leave("b");
  leave("c");
  enter("d");
  EXPECT_EQ(said, (std::vector<std::string>{"a", "b", "c", "d"}));
}

// Both are due in one turn of the loop: the one before leaves, and the wait of the next is over.
TEST_F(IngestedRun, AWaitingRequestIsAnsweredOnceEvenIfItTimesOutInItsTurn) {
  const auto run = made();
  int told = 0;
  net::turn first, second;
  const auto enter = [&](net::turn& to) {
    boost::asio::co_spawn(journal_.loop, run->alone(),
                          [&](const std::exception_ptr&, net::turn alone) {
                            ++told;
                            to = std::move(alone);
                          });
    poll();
  };
  enter(first);
  boost::asio::steady_timer leaves{journal_.loop, limits::busy_wait};
  leaves.async_wait([&](boost::system::error_code) { first.reset(); });
  enter(second);
  std::this_thread::sleep_for(limits::busy_wait + std::chrono::milliseconds{10});
  journal_.loop.restart();
  journal_.loop.run_for(std::chrono::milliseconds{100});
  EXPECT_EQ(told, 2);
  // Whoever waited in vain holds nothing, and whoever did not, all.
  net::turn third;
  second.reset();
  enter(third);
  EXPECT_EQ(told, 3);
  EXPECT_NE(third, nullptr);
}

// Bytes behind an event may be on disk before it is: they are folded after it all the same.
TEST_F(IngestedRun, HasTheSameNumbersFromTheJournalAsLive) {
  const auto run = made();
  const auto line = [](const std::string& rest) {
    return R"({"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z",)" +
           rest + "}\n";
  };
  const std::string first = line(R"("tofu":"1.12.6","type":"version","ui":"1.2")");
  const std::string second = line(
      R"("hook":{"resource":{"addr":"a.b","module":"","resource":"a.b","implied_provider":"a",)"
      R"("resource_type":"a","resource_name":"b","resource_key":null},"action":"create"},"type":"apply_start")");
  const std::string plan =
      R"({"format_version":"1.2","resource_changes":[{"address":"a.c","previous_address":"a.d",)"
      R"("mode":"managed","type":"a","name":"c","provider_name":"r/n/a","change":{"actions":["no-op"],)"
      R"("before":{},"after":{}}}]})";
  ASSERT_EQ(journal_.it->write_attachment(run->id(), "plan.json", plan).text(), "");
  journal_.it->keep_attachments(run->id(), {"plan.json"}, [](const text::failure& failure) {
    EXPECT_EQ(failure.text(), "");
  });
  run->load([] {});
  start(run->append(first));
  poll();
  EXPECT_EQ(run->appended(), first.size());
  journal_.until_done();
  const events::attachment attached{feed::attachment::plan, std::string(64, '0'), 0, 0};
  start(run->add_event({1, first.size(), events::text_of({first.size(), attached})}));
  start(run->append(second));
  journal_.until_done();
  ASSERT_NE(run->folded(), nullptr);
  ASSERT_NE(run->folded()->rows.attached(), nullptr);
  const auto rows = [&] {
    std::vector<std::string> all;
    for (pipeline::run& each : run->folded()->topics.runs()) {
      all.push_back(std::to_string(each.topic.head()));
      for (const auto& resource : each.state.resources()) all.emplace_back(resource.row.addr);
    }
    return all;
  };
  const auto live = rows();
  EXPECT_EQ(live.size(), 3U);
  run->unload();
  run->load([] {});
  journal_.until_done();
  EXPECT_EQ(rows(), live);
}

TEST_F(IngestedRun, IsNotFoldedWhenItWasRemoved) {
  const auto run = made();
  int ready = 0;
  run->remove();
  run->load([&] { ++ready; });
  EXPECT_EQ(ready, 1);
  EXPECT_EQ(folds_, 0);
  EXPECT_EQ(run->folded(), nullptr);
}

TEST_F(IngestedRun, RunWithoutFilesReadsAsEmpty) {
  const auto run = made();
  start(run->append("{}\n"));
  journal_.until_done();
  EXPECT_EQ(journal_.remove(run->id()), "");  // and nobody has told it yet
  int ready = 0;
  run->load([&] { ++ready; });
  journal_.until_done();
  EXPECT_EQ(ready, 1);
  std::string room(10, ' ');
  EXPECT_EQ(run->reader()(0, room), 0U);
}

TEST_F(IngestedRun, ARemovalAnswersRequestsThatWaitForTheFold) {
  const auto run = made();
  int ready = 0;
  run->load([&] { ++ready; });
  run->remove();
  EXPECT_EQ(ready, 1);
}

TEST_F(IngestedRun, SilenceSinceBeforeTheStartIsNoContactUntilDataCame) {
  using namespace std::chrono;
  journal::kept_run kept;
  kept.last_arrival = {0, floor<microseconds>(system_clock::now()) - hours{5}};
  const auto run = made(kept);
  // Its sender may be about to come back: it is not lost yet.
  EXPECT_EQ(run->contact(), feed::run_contact::none);
  run->heard();
  EXPECT_EQ(run->contact(), feed::run_contact::ok);
}

TEST_F(IngestedRun, DataJustBeforeTheStartIsContact) {
  using namespace std::chrono;
  journal::kept_run kept;
  kept.last_arrival = {0, floor<microseconds>(system_clock::now())};
  EXPECT_EQ(made(kept)->contact(), feed::run_contact::ok);
}

}  // namespace
}  // namespace tofud::serve
