#include "daemon/journal/store.hpp"

#include "daemon/journal/limits.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace tofud::journal {
namespace {

const std::string id = "20261121T0312-7f3a";

mode_t mode_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 0777U : 0;
}

TEST(Journal, AcknowledgedBytesAreThereAfterARestart) {
  const scratch_root root;
  {
    opened_store store{root.path()};
    EXPECT_EQ(store.create(some_run()), "");
    EXPECT_EQ(store.append(id, "one\ntw").offset, 6U);
    EXPECT_EQ(store.append(id, "o\n").offset, 8U);
    EXPECT_EQ(store.event(id, 1, "{\"offset\":8,\"event\":\"exit\",\n\"status\":1}"), "");
  }
  opened_store store{root.path()};
  ASSERT_EQ(store.found.size(), 1U);
  const kept_run& run = store.found[0];
  EXPECT_EQ(to_json(run.header), to_json(some_run()));
  EXPECT_EQ(run.bytes, 8U);
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.remark, "");
  EXPECT_EQ(run.last_arrival, (arrival{8, at_second(2)}));
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0], (kept_event{1, 8, "{\"offset\":8,\"event\":\"exit\", \"status\":1}"}));
  EXPECT_EQ(store.stream(id), "one\ntwo\n");
  EXPECT_EQ(store.append(id, "three\n").offset, 14U);
  EXPECT_EQ(store.stream(id), "one\ntwo\nthree\n");
}

TEST(Journal, ManyRunsAtOnceAreKeptAsOneWouldBe) {
  const scratch_root root;
  constexpr int runs = 60;
  int acknowledged = 0;
  {
    opened_store store{root.path()};
    const auto name = [](int run) { return "run-" + std::to_string(run); };
    for (int run = 0; run < runs; ++run)
      store.it->create(some_run(name(run)),
                       [](const text::failure& said) { EXPECT_EQ(said.text(), ""); });
    store.until_done();
    for (int run = 0; run < runs; ++run) {
      store.it->append(name(run), name(run) + "\n", at_second(2), [&](const append_result& got) {
        EXPECT_EQ(got.failure.text(), "");
        ++acknowledged;
      });
      store.it->add_event(name(run), {1, 0, "{\"offset\":0}"},
                          [](const text::failure& said) { EXPECT_EQ(said.text(), ""); });
    }
    store.until_done();
  }
  EXPECT_EQ(acknowledged, runs);
  opened_store store{root.path()};
  ASSERT_EQ(store.found.size(), 0U + runs);
  for (const auto& run : store.found) {
    EXPECT_EQ(store.stream(run.header.id), run.header.id + "\n");
    EXPECT_EQ(run.events.size(), 1U);
  }
}

TEST(Journal, WhatIsSentBeforeItsRunIsOnDiskIsBehindIt) {
  const scratch_root root;
  opened_store store{root.path()};
  for (int run = 0; run < 20; ++run) {
    const std::string name = "run-" + std::to_string(run);
    store.it->create(some_run(name), [](const text::failure& said) { EXPECT_EQ(said.text(), ""); });
    store.it->append(name, "one\n", at_second(2),
                     [](const append_result& got) { EXPECT_EQ(got.offset, 4U); });
    store.it->add_event(name, {1, 0, "{\"offset\":0}"},
                        [](const text::failure& said) { EXPECT_EQ(said.text(), ""); });
  }
  store.until_done();
  for (int run = 0; run < 20; ++run) EXPECT_EQ(store.stream("run-" + std::to_string(run)), "one\n");
}

TEST(Journal, OtherUsersCannotReadIt) {
  const scratch_root root;
  opened_store store{root / "daemon"};
  EXPECT_EQ(store.create(some_run()), "");
  const std::string run = root / "daemon/runs/" + id;
  EXPECT_EQ(mode_of(root / "daemon"), 0700U);
  EXPECT_EQ(mode_of(run), 0700U);
  for (const auto* name : {"header.json", "stream.jsonl", "arrivals", "events.jsonl"})
    EXPECT_EQ(mode_of(run + "/" + name), 0600U) << name;
}

TEST(Journal, TwoDaemonsCantShareADirectory) {
  const scratch_root root;
  opened_store first{root.path()};
  const auto second = store::open(first.loop, root.path(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text(),
            root.path() +
                ": another tofud stores its runs here; give this one its own "
                "--state-dir");
}

TEST(Journal, ARunThatIsOverTakesNothingMore) {
  const scratch_root root;
  opened_store store{root.path()};
  store.create(some_run());
  store.append(id, "one\n");
  EXPECT_EQ(store.complete(id), "");
  EXPECT_EQ(store.complete(id), "");
  EXPECT_EQ(store.append(id, "two\n").failure.text(), "run " + id + " is complete");
  EXPECT_EQ(store.append(id, "two\n").offset, 4U);
  EXPECT_EQ(store.event(id, 1, "{\"offset\":4}"), "run " + id + " is complete");
  EXPECT_EQ(store.stream(id), "one\n");
}

TEST(Journal, AttachmentsAreWholeAndCounted) {
  const scratch_root root;
  const auto keep = [](opened_store& store) {
    std::string result = "nothing was said";
    store.it->keep_attachments(id, {"plan.json"},
                               [&](const text::failure& failure) { result = failure.text(); });
    store.until_done();
    return result;
  };
  const std::string path = root / "runs/" + id + "/attachments/plan.json";
  {
    opened_store store{root.path()};
    ASSERT_EQ(store.create(some_run()), "");
    EXPECT_EQ(store.it->attachment_path(id, "plan.json"), path);
    EXPECT_NE(keep(store), "");  // nothing was written
    EXPECT_EQ(store.it->write_attachment(id, "plan.json", "one").text(), "");
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(keep(store), "");
    EXPECT_EQ(text_of(path), "one");
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_EQ(store.append(id, "line\n").offset, 5U);
    EXPECT_EQ(store.it->facts().bytes, 3U + 5U);
    EXPECT_EQ(store.it->write_attachment(id, "plan.json", "other").text(), "");
    EXPECT_EQ(keep(store), "");
    EXPECT_EQ(store.it->facts().bytes, 5U + 5U);
    EXPECT_EQ(store.it->write_attachment(id, "schemas.json", "torn").text(), "");
  }
  opened_store store{root.path()};
  EXPECT_FALSE(
      std::filesystem::exists(root / "runs/" + id + "/attachments/schemas.json.unfinished"));
  EXPECT_EQ(text_of(path), "other");
  ASSERT_EQ(store.found.size(), 1U);
  EXPECT_EQ(store.found[0].attached_bytes, 5U);
  EXPECT_EQ(store.remove(id), "");
  EXPECT_EQ(store.it->facts().bytes, 0U);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_NE(store.it->write_attachment(id, "plan.json", "late").text(), "");
}

TEST(Journal, AnIdIsGivenOnce) {
  const scratch_root root;
  opened_store store{root.path()};
  EXPECT_TRUE(store.it->is_free(id));
  store.create(some_run());
  EXPECT_FALSE(store.it->is_free(id));
  EXPECT_FALSE(store.it->is_free("../" + id));
  EXPECT_EQ(store.create(some_run()), "run " + id + " exists already");
}

TEST(Journal, ARunThatAStartCouldNotReadIsRefusedAtOnce) {
  const scratch_root root;
  opened_store store{root.path()};
  auto header = some_run();
  header.labels = {{"key", "no UTF-8: \xff"}};
  EXPECT_EQ(store.create(header),
            "the description of run " + id + " can't be stored: it is not a JSON object");
  header.labels = {{"key", std::string(limits::journal_header_bytes, 'x')}};
  EXPECT_EQ(store.create(header), "the description of run " + id + " is longer than 262144 bytes");
  EXPECT_EQ(store.create(some_run()), "");
  EXPECT_EQ(store.event(id, 1, "{\"event\":\"exit\"}"),
            "the event is not a JSON object with an offset");
  EXPECT_EQ(store.event(id, 1, "{\"offset\":0,\"event\":\"exit\"}"), "");
}

TEST(Journal, EventsAreKeptInTheirOrderOnly) {
  const scratch_root root;
  opened_store store{root.path()};
  store.create(some_run());
  EXPECT_EQ(store.event(id, 2, "{\"offset\":0}"),
            "run " + id + " has 0 events: number 2 is not the next");
  EXPECT_EQ(store.event(id, 1, "{\"offset\":0}"), "");
  EXPECT_EQ(store.event(id, 2, "{\"offset\":0}"), "");
}

}  // namespace
}  // namespace tofud::journal
