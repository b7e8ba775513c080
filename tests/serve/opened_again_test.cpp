// A finished run that somebody looks at after the daemon was started again: its rows are made anew
// from the journal.
#include "daemon/api/feed_route.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "tests/journal/opened_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace tofud::serve {
namespace {

using journal::opened_store;
using journal::scratch_root;

constexpr auto stamped = R"("@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z",)";

std::string message(const std::string& rest) {
  return R"({"@level":"info",)" + std::string{stamped} + rest + "}\n";
}

/// An apply of some pieces, most of it messages that count and change little.
std::string long_stream() {
  constexpr std::size_t pieces = 12;
  std::string stream =
      message(R"("@message":"OpenTofu 1.12.6","tofu":"1.12.6","type":"version","ui":"1.2")");
  const std::string each = message(R"("@message":")" + std::string(500, 'x') + R"(","type":"log")");
  while (stream.size() < pieces * limits::read_bytes) stream += each;
  return stream +
         message(
             R"("@message":"Apply complete!","changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary")");
}

/// What a daemon is made of, as far as runs go.
struct daemon {
  explicit daemon(const std::string& root) : store{root} {
    runs.recover(std::move(store.found));
    while (runs.to_recover() > 0) step();
  }
  void step() {
    store.loop.restart();
    store.loop.run_one();
  }

  opened_store store;
  fanout::wall all{fanout::random_epoch()};
  fanout::hub hub{store.loop, hub_options_of_this_build()};
  kept_streams runs{store.loop, *store.it, hub, all, {}};
};

const std::string id = journal::some_run().id;

net::task<void> keep(kept_streams& runs, std::string stream) {
  auto creating = runs.create(journal::some_run(), "");
  const auto run = co_await std::move(creating);
  auto storing = (*run)->append(std::move(stream));
  EXPECT_EQ(co_await std::move(storing), "");
  auto finishing = (*run)->finish();
  EXPECT_EQ(co_await std::move(finishing), "");
}

/// Keeps a run that is over, in the index as well.
void keep_a_run(const std::string& root, const std::string& stream) {
  daemon first{root};
  bool done = false;
  boost::asio::co_spawn(first.store.loop, keep(first.runs, stream),
                        [&done](const std::exception_ptr& thrown) {
                          EXPECT_FALSE(thrown);
                          done = true;
                        });
  while (!done || !first.runs.find(id)->is_over()) first.step();
  first.store.until_done();
}

TEST(OpenedAgain, TheLoopTurnsBetweenThePiecesOfALongStream) {
  const scratch_root root;
  const std::string stream = long_stream();
  keep_a_run(root.path(), stream);
  daemon again{root.path()};
  ASSERT_FALSE(again.runs.find(id)->is_loaded());
  bool ready = false;
  again.runs.load(id, [&ready] { ready = true; });
  std::size_t turns = 0;
  for (; !ready; ++turns) again.step();
  EXPECT_GE(turns, stream.size() / limits::read_bytes);
}

TEST(OpenedAgain, ItsEndIsNotForgottenWhileTheRowsAreMade) {
  const scratch_root root;
  keep_a_run(root.path(), long_stream());
  daemon again{root.path()};
  bool ready = false;
  again.runs.load(id, [&ready] { ready = true; });
  while (!ready) {
    const feed::run_view view = again.runs.shown().find(id)->view();
    ASSERT_EQ(view.status, feed::run_status::succeeded);
    ASSERT_TRUE(view.ended_at);
    again.step();
  }
  EXPECT_EQ(again.runs.shown().find(id)->view().status, feed::run_status::succeeded);
}

}  // namespace
}  // namespace tofud::serve
