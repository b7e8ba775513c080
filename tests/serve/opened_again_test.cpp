// A finished run that somebody looks at after the daemon was started again: its rows are made anew
// from the journal.
#include "daemon/api/feed_route.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

using journal::opened_store;
using journal::scratch_root;

constexpr auto stamped = R"("@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z",)";

std::string message(const std::string& rest) {
  return R"({"@level":"info",)" + std::string{stamped} + rest + "}\n";
}

std::string applied() {
  return message(
      R"("@message":"Apply complete!","changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary")");
}

/// An apply of some pieces, most of it messages that count and change little.
std::string long_stream() {
  constexpr std::size_t pieces = 12;
  std::string stream =
      message(R"("@message":"OpenTofu 1.12.6","tofu":"1.12.6","type":"version","ui":"1.2")");
  const std::string each = message(R"("@message":")" + std::string(500, 'x') + R"(","type":"log")");
  while (stream.size() < pieces * limits::read_bytes) stream += each;
  return stream + applied();
}

/// What a daemon is made of, as far as runs go.
struct daemon {
  explicit daemon(const std::string& root, journal::disk* on = nullptr) : store{root, on} {
    runs.recover(std::move(store.found));
    while (runs.to_recover() > 0) step();
  }
  void step() {
    store.loop.restart();
    store.loop.run_one();
  }

  opened_store store;
  fanout::hub hub{store.loop, hub_options_of_this_build()};
  kept_streams runs{store.loop, *store.it, hub, {}};
};

const std::string id = journal::some_run().id;

net::task<void> keep(kept_streams& runs, journal::run_header header, std::string stream) {
  auto creating = runs.create(std::move(header), "");
  const auto run = co_await std::move(creating);
  auto storing = (*run)->append(std::move(stream));
  EXPECT_TRUE((co_await std::move(storing)).empty());
  auto finishing = (*run)->finish();
  EXPECT_TRUE((co_await std::move(finishing)).empty());
}

/// Keeps a run that is over, in the index as well.
void keep_a_run(const std::string& root, const std::string& stream) {
  daemon first{root};
  bool done = false;
  boost::asio::co_spawn(first.store.loop, keep(first.runs, journal::some_run(), stream),
                        [&done](const std::exception_ptr& thrown) {
                          EXPECT_FALSE(thrown);
                          done = true;
                        });
  while (!done || !first.runs.find(id, access::own_user())->is_over()) first.step();
  first.store.until_done();
}

TEST(OpenedAgain, ManyRunsAreShownAtOnceWithoutBeingFolded) {
  const scratch_root root;
  // So many that threads share the reading.
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < limits::recovered_by_thread; ++i)
    ids.push_back("20261121T0312-" + std::to_string(1000 + i));
  {
    daemon first{root.path()};
    std::size_t done = 0;
    for (const std::string& each : ids) {
      journal::run_header header = journal::some_run();
      header.id = header.upload_id = each;
      boost::asio::co_spawn(first.store.loop, keep(first.runs, std::move(header), applied()),
                            [&done](const std::exception_ptr& thrown) {
                              EXPECT_FALSE(thrown);
                              ++done;
                            });
    }
    while (done < ids.size()) first.step();
    for (const std::string& each : ids)
      while (!first.runs.find(each, access::own_user())->is_over()) first.step();
    first.store.until_done();
  }
  opened_store store{root.path()};
  fanout::hub hub{store.loop, hub_options_of_this_build()};
  kept_streams runs{store.loop, *store.it, hub, {}};
  runs.recover(std::move(store.found));
  EXPECT_EQ(runs.to_recover(), 0U);
  for (const std::string& each : ids) {
    const auto* shown = runs.shown().find(each, access::own_user());
    ASSERT_NE(shown, nullptr) << each;
    EXPECT_EQ(shown->view().status, feed::run_status::succeeded) << each;
    EXPECT_FALSE(runs.find(each, access::own_user())->is_loaded()) << each;
  }
  EXPECT_EQ(runs.shown().latest(access::own_user()), ids.back());
}

TEST(OpenedAgain, TheLoopRunsBetweenPiecesOfALongStream) {
  const scratch_root root;
  const std::string stream = long_stream();
  keep_a_run(root.path(), stream);
  daemon again{root.path()};
  ASSERT_FALSE(again.runs.find(id, access::own_user())->is_loaded());
  bool ready = false;
  again.runs.load(id, [&ready] { ready = true; });
  std::size_t turns = 0;
  for (; !ready; ++turns) again.step();
  EXPECT_GE(turns, stream.size() / limits::read_bytes);
}

TEST(OpenedAgain, AnEndDuringTheFoldIsKept) {
  const scratch_root root;
  keep_a_run(root.path(), long_stream());
  daemon again{root.path()};
  bool ready = false;
  again.runs.load(id, [&ready] { ready = true; });
  while (!ready) {
    const feed::run_view view = again.runs.shown().find(id, access::own_user())->view();
    ASSERT_EQ(view.status, feed::run_status::succeeded);
    ASSERT_TRUE(view.ended_at);
    again.step();
  }
  EXPECT_EQ(again.runs.shown().find(id, access::own_user())->view().status,
            feed::run_status::succeeded);
}

enum class sent { failed, made, found };

/// As a forwarder's POST does it.
net::task<void> send(kept_streams& runs, std::vector<sent>& all) {
  journal::run_header header = journal::some_run();
  header.upload_id = "0123456789abcdef";
  auto making = runs.made(header.upload_id);
  co_await std::move(making);
  if (runs.by_upload(header.upload_id)) {
    all.push_back(sent::found);
    co_return;
  }
  auto creating = runs.create(std::move(header), "");
  const auto run = co_await std::move(creating);
  all.push_back(run ? sent::made : sent::failed);
}

TEST(SentTwice, AWaitingRequestMakesTheRunWhenTheFirstCouldNot) {
  const scratch_root root;
  journal::faulty_disk disk;
  daemon now{root.path(), &disk};
  bool failed = false;
  disk.set([&failed](std::string_view what, const std::string&) {
    const bool fails = what == "mkdir" && !std::exchange(failed, true);
    return fails ? journal::faulty_disk::verdict::fails : journal::faulty_disk::verdict::works;
  });
  std::vector<sent> all;
  for (int i = 0; i < 4; ++i) {
    boost::asio::co_spawn(now.store.loop, send(now.runs, all),
                          [](const std::exception_ptr& thrown) { EXPECT_FALSE(thrown); });
  }
  while (all.size() < 4) now.step();
  EXPECT_EQ(all, (std::vector<sent>{sent::failed, sent::made, sent::found, sent::found}));
}

}  // namespace
}  // namespace tofud::serve
