// What is found after a stop, and what is cut.
#include "daemon/journal/recovery.hpp"

#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

namespace tofud::journal {
namespace {

class Recovery : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  /// A run of "one\ntwo\n" that went on when the daemon was killed.
  Recovery() {
    opened_store store{root_.path()};
    store.create(some_run(id));
    store.append(id, "one\n");
    store.append(id, "two\n", at_second(5));
  }
  std::string file(const std::string& name) const { return root_ / "runs/" + id + "/" + name; }
  void append_to(const std::string& name, const std::string& text) {
    put_text(file(name), text_of(file(name)) + text);
  }
  kept_run found() {
    auto all = recover_runs(real_disk(), root_.path());
    EXPECT_EQ(all.runs.size(), 1U);
    return all.runs.empty() ? kept_run{} : all.runs.front();
  }

  const std::string id = "20261121T0312-7f3a";
  scratch_root root_;
};

TEST_F(Recovery, WholeLinesBeyondTheAcknowledgedOnesStayAndTheCutIsReported) {
  append_to("stream.jsonl", "three\nfou");
  const auto run = found();
  EXPECT_EQ(run.bytes, 14U);
  EXPECT_EQ(run.remark, file("stream.jsonl") + ": a torn tail of 3 bytes was cut off; 14 remain");
  EXPECT_EQ(text_of(file("stream.jsonl")), "one\ntwo\nthree\n");
  EXPECT_EQ(found().remark, "");
}

TEST_F(Recovery, KeepsTheUnfinishedLineThatWasAcknowledged) {
  {
    opened_store store{root_.path()};
    store.append(id, "three\nfou");
  }
  append_to("stream.jsonl", "r, unheard of");
  EXPECT_EQ(found().bytes, 17U);
  EXPECT_EQ(text_of(file("stream.jsonl")), "one\ntwo\nthree\nfou");
}

TEST_F(Recovery, NulBytesOfALostWriteAreATornTail) {
  append_to("stream.jsonl", std::string("three\nfo\0\0\0r\nfive\n", 18));
  EXPECT_EQ(found().bytes, 14U);
  EXPECT_EQ(text_of(file("stream.jsonl")), "one\ntwo\nthree\n");
}

TEST_F(Recovery, FindsALineThatIsLongerThanWhatItReadsAtOnce) {
  append_to("stream.jsonl", std::string(700'000, 'x') + "\nrest");
  EXPECT_EQ(found().bytes, 8U + 700'001U);
}

TEST_F(Recovery, UnfinishedLineOfAStreamWithoutForwarderIsCut) {
  auto header = some_run("alone");
  header.upload_id.clear();
  header.redacted_by = redactor::daemon;
  {
    opened_store store{root_.path()};
    store.remove(id);
    store.create(header);
    store.append("alone", "one\nhalf");
  }
  const auto run = found();
  EXPECT_EQ(run.bytes, 4U);
  EXPECT_EQ(run.remark,
            root_ / "runs/alone/stream.jsonl: a torn tail of 4 bytes was cut off; 4 remain");
  EXPECT_EQ(found().remark, "");
}

TEST_F(Recovery, AStreamThatLostBytesIsReportedAndGoesOnFromItsWholeLines) {
  put_text(file("stream.jsonl"), "one\nt");
  const auto run = found();
  EXPECT_EQ(run.bytes, 4U);
  EXPECT_EQ(run.remark, file("stream.jsonl") +
                            ": has 5 bytes where 8 were acknowledged; the disk lost the rest; " +
                            file("stream.jsonl") +
                            ": a torn tail of 1 bytes was cut off; 4 remain");
  EXPECT_EQ(run.last_arrival, (arrival{4, at_second(2)}));
  EXPECT_EQ(found().remark, "");
}

TEST_F(Recovery, ArrivalsMayBeMissingOrTorn) {
  append_to("arrivals", "{\"offset\":9999,\"at\":\"2026-");
  EXPECT_EQ(found().last_arrival, (arrival{8, at_second(5)}));
  EXPECT_EQ(read_arrivals(real_disk(), root_ / "runs/" + id),
            (std::vector<arrival>{{4, at_second(2)}, {8, at_second(5)}}));
  std::filesystem::remove(file("arrivals"));
  EXPECT_EQ(found().bytes, 8U);
  opened_store store{root_.path()};
  EXPECT_EQ(store.append(id, "three\n").offset, 14U);
}

TEST_F(Recovery, TheLastArrivalIsFoundBehindMoreDamageThanOneReadTakes) {
  append_to("arrivals", std::string(100'000, '\0'));
  EXPECT_EQ(found().last_arrival, (arrival{8, at_second(5)}));
}

TEST_F(Recovery, AnEventThatWasNotAcknowledgedIsCut) {
  append_to("events.jsonl", "{\"offset\":3,\"event\":\"label\"}\n{\"offset\":8,\"ev");
  const auto run = found();
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0], (kept_event{1, 3, "{\"offset\":3,\"event\":\"label\"}"}));
  EXPECT_EQ(run.remark,
            file("events.jsonl") + ": 15 bytes at its end are not events and were cut off");
}

TEST_F(Recovery, OtherFilesStayAndAreReported) {
  put_text(root_ / "runs/notes.txt", "do not touch");
  std::filesystem::create_directory(root_ / "runs/mine");
  std::filesystem::create_directory(root_ / "runs/torn");
  put_text(root_ / "runs/torn/header.json", "{\"version\":1,\"id\":\"tor");
  std::filesystem::create_directory(root_ / "runs/later");
  put_text(root_ / "runs/later/header.json", "{\"version\":2,\"id\":\"later\"}");
  std::filesystem::create_directory(root_ / "runs/copy");
  put_text(root_ / "runs/copy/header.json", to_json(some_run(id)));
  auto all = recover_runs(real_disk(), root_.path());
  EXPECT_EQ(all.runs.size(), 1U);
  std::sort(all.remarks.begin(), all.remarks.end());
  const std::string runs = root_ / "runs";
  EXPECT_EQ(
      all.remarks,
      (std::vector<std::string>{
          runs + "/copy/header.json: is of another run; it is left as it is",
          runs + "/later/header.json: has a version that this tofud does not know; it is left as "
                 "it is",
          runs + "/mine: is not a run because it has no header.json; it is left as it is",
          runs + "/notes.txt: is not a run because it has no header.json; it is left as it is",
          runs + "/torn/header.json: is not a JSON object; it is left as it is"}));
  EXPECT_EQ(text_of(root_ / "runs/notes.txt"), "do not touch");
  EXPECT_TRUE(std::filesystem::exists(root_ / "runs/torn/header.json"));
}

TEST_F(Recovery, TheNewestRunComesFirst) {
  opened_store store{root_.path()};
  auto newer = some_run("a");
  newer.created_at = at_second(100);
  store.create(newer);
  const auto all = recover_runs(real_disk(), root_.path());
  ASSERT_EQ(all.runs.size(), 2U);
  EXPECT_EQ(all.runs[0].header.id, "a");
}

TEST_F(Recovery, AnIndexedRunNeedsNoFoldUnlessItChanged) {
  indexed_run listed;
  listed.id = id;
  listed.view = "{}";
  listed.bytes = 8;
  {
    opened_store store{root_.path()};
    store.put(listed);
  }
  EXPECT_FALSE(opened_store{root_.path()}.found[0].indexed);  // goes on
  {
    opened_store store{root_.path()};
    store.complete(id);
  }
  ASSERT_TRUE(opened_store{root_.path()}.found[0].indexed);
  listed.events = 1;
  {
    opened_store store{root_.path()};
    store.put(listed);
  }
  EXPECT_FALSE(opened_store{root_.path()}.found[0].indexed);
}

}  // namespace
}  // namespace tofud::journal
