// What happens when the disk refuses.
#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

namespace tofud::journal {
namespace {

using verdict = faulty_disk::verdict;

class Refused : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  Refused() {
    EXPECT_EQ(store_.create(some_run(id)), "");
    EXPECT_EQ(store_.append(id, "one\n").failure.text(), "");
  }
  std::string file() const { return root_ / "runs/" + id + "/stream.jsonl"; }
  std::string restarted() {
    store_.it.reset();
    opened_store again{root_.path()};
    return again.stream(id);
  }

  const std::string id = "20261121T0312-7f3a";
  scratch_root root_;
  faulty_disk disk_;
  opened_store store_{root_.path(), &disk_};
};

TEST_F(Refused, AFullDiskIsAFailureAndWorksAgainWhenThereIsRoom) {
  disk_.set(refuses("pwrite", "stream.jsonl", ENOSPC));
  const auto full = store_.append(id, "two\n");
  EXPECT_EQ(full.failure.text(), file() + ": can't be written: No space left on device");
  EXPECT_EQ(full.offset, 4U);
  EXPECT_EQ(text_of(file()), "one\n");
  const auto room = store_.append(id, "two\n");
  EXPECT_EQ(room.failure.text(), "");
  EXPECT_EQ(room.offset, 8U);
  EXPECT_EQ(restarted(), "one\ntwo\n");
}

TEST_F(Refused, AShortWriteIsCutBackToWhatWasAcknowledged) {
  int calls = 0;
  disk_.set([&](std::string_view what, const std::string& path) {
    if (what != "pwrite" || !path.ends_with("stream.jsonl")) return verdict::works;
    if (calls++ == 0) return verdict::writes_half;
    errno = ENOSPC;
    return calls == 2 ? verdict::fails : verdict::works;
  });
  EXPECT_EQ(store_.append(id, "a long line\n").offset, 4U);
  EXPECT_EQ(text_of(file()), "one\n");
  EXPECT_EQ(store_.append(id, "two\n").offset, 8U);
  EXPECT_EQ(restarted(), "one\ntwo\n");
}

TEST_F(Refused, AWriteThatNeedsSeveralCallsIsWhole) {
  disk_.set([&](std::string_view what, const std::string& /*path*/) {
    return what == "pwrite" ? verdict::writes_half : verdict::works;
  });
  EXPECT_EQ(store_.append(id, "a long line\n").failure.text(), "");
  EXPECT_EQ(restarted(), "one\na long line\n");
}

TEST_F(Refused, BytesWhoseSyncFailedDoNotCountAndALaterSyncOfTheSameFileIsNotTrusted) {
  std::vector<std::string> calls;
  bool failed = false;
  disk_.set([&](std::string_view what, const std::string& path) {
    if (!path.ends_with("stream.jsonl")) return verdict::works;
    calls.emplace_back(what);
    if (what != "fdatasync" || std::exchange(failed, true)) return verdict::works;
    errno = EIO;
    return verdict::fails;
  });
  const auto lost = store_.append(id, "two\n");
  EXPECT_EQ(lost.failure.text(), file() + ": can't be synced to disk: Input/output error");
  EXPECT_EQ(lost.offset, 4U);
  EXPECT_EQ(store_.append(id, "three\n").offset, 10U);
  // Cut, opened anew and cut again, the last page written again and synced: only then the bytes.
  EXPECT_EQ(calls, (std::vector<std::string>{"pwrite", "fdatasync", "ftruncate", "ftruncate",
                                             "pwrite", "fdatasync", "pwrite", "fdatasync"}));
  EXPECT_EQ(restarted(), "one\nthree\n");
}

TEST_F(Refused, AFileThatCannotBeCutAcceptsNothingUntilItCan) {
  disk_.set([](std::string_view what, const std::string& path) {
    errno = EIO;
    return path.ends_with("stream.jsonl") && (what == "ftruncate" || what == "fdatasync")
               ? verdict::fails
               : verdict::works;
  });
  EXPECT_EQ(store_.append(id, "two\n").offset, 4U);
  EXPECT_EQ(store_.append(id, "two\n").failure.text(),
            file() + ": can't be truncated to what was acknowledged: Input/output error");
  disk_.set({});
  EXPECT_EQ(store_.append(id, "three\n").offset, 10U);
  EXPECT_EQ(restarted(), "one\nthree\n");
}

TEST_F(Refused, AnotherRunIsNotTouched) {
  store_.create(some_run("other"));
  disk_.set(refuses("fdatasync", id + "/stream.jsonl", EIO, 99));
  append_result here, there;
  store_.it->append(id, "two\n", at_second(5), [&](append_result got) { here = got; });
  store_.it->append("other", "two\n", at_second(5), [&](append_result got) { there = got; });
  store_.until_done();
  EXPECT_NE(here.failure.text(), "");
  EXPECT_EQ(there.failure.text(), "");
  EXPECT_EQ(there.offset, 4U);
}

TEST_F(Refused, TheEndOfAnUnfinishedLineCountsOnlyWithItsArrival) {
  disk_.set(refuses("pwrite", "arrivals", ENOSPC));
  const auto refused = store_.append(id, "half a li");
  EXPECT_EQ(refused.failure.text(),
            root_ / "runs/" + id + "/arrivals: can't be written: No space left on device");
  EXPECT_EQ(refused.offset, 4U);
  disk_.set({});
  EXPECT_EQ(store_.append(id, "half a li").offset, 13U);
  EXPECT_EQ(restarted(), "one\nhalf a li");
}

TEST_F(Refused, AnEventThatWasRefusedMayComeAgain) {
  disk_.set(refuses("fdatasync", "events.jsonl", EIO));
  EXPECT_EQ(store_.event(id, 1, "{\"offset\":4}"),
            root_ / "runs/" + id + "/events.jsonl: can't be synced to disk: Input/output error");
  EXPECT_EQ(store_.event(id, 1, "{\"offset\":4}"), "");
  EXPECT_EQ(text_of(root_ / "runs/" + id + "/events.jsonl"), "{\"offset\":4}\n");
}

TEST_F(Refused, ARunThatCannotBeMadeLeavesNothing) {
  for (const std::string call : {"mkdir", "pwrite", "fsync", "open", "rename"}) {
    disk_.set([&](std::string_view what, const std::string& path) {
      errno = ENOSPC;
      return what == call && path.find("/runs") != std::string::npos ? verdict::fails
                                                                     : verdict::works;
    });
    EXPECT_EQ(store_.create(some_run("other")),
              root_ / "runs/other: can't be made: No space left on device")
        << call;
    EXPECT_TRUE(store_.it->is_free("other"));
    EXPECT_FALSE(std::filesystem::exists(root_ / "runs/other"));
    EXPECT_FALSE(std::filesystem::exists(root_ / "runs/.new-other"));
  }
  disk_.set(refuses("fsync", "/runs", EIO));
  EXPECT_EQ(store_.create(some_run("other")),
            root_ / "runs: can't be synced to disk: Input/output error");
  EXPECT_EQ(store_.create(some_run("other")), "");
}

TEST_F(Refused, AnEndThatWasRefusedMayComeAgain) {
  for (const std::string call : {"pwrite", "fsync", "open", "rename"}) {
    disk_.set([&](std::string_view what, const std::string& path) {
      errno = ENOSPC;
      return what == call && path.find("complete") != std::string::npos ? verdict::fails
                                                                        : verdict::works;
    });
    EXPECT_EQ(store_.complete(id),
              root_ / "runs/" + id + "/complete: can't be written: No space left on device");
    EXPECT_EQ(store_.append(id, "more\n").failure.text(), "");
  }
  disk_.set({});
  EXPECT_EQ(store_.complete(id), "");
}

class small_disk : public disk {
 public:
  std::optional<disk_space> space(const std::string& /*path*/) override { return now; }
  disk_space now{100, 10'000};
};

TEST(Floor, BelowItNothingNewIsTakenButRunsCanEnd) {
  const scratch_root root;
  small_disk disk;
  options given;
  given.free_bytes = 1'000'000;
  given.free_percent = 5;
  given.on = &disk;
  opened_store store{root.path(), given};
  const std::string too_little =
      root.path() +
      ": only 0 MiB are free on this disk; nothing more is stored until there is room";
  EXPECT_EQ(store.create(some_run("a")), too_little);
  disk.now.free = 500;
  EXPECT_EQ(store.create(some_run("a")), "");
  disk.now.free = 499;
  EXPECT_EQ(store.append("a", "x\n").failure.text(), too_little);
  EXPECT_EQ(store.append("a", "x\n").offset, 0U);
  EXPECT_EQ(store.event("a", 1, "{\"offset\":0}"), "");
  EXPECT_EQ(store.complete("a"), "");
}

}  // namespace
}  // namespace tofud::journal
