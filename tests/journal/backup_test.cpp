#include "daemon/journal/backup.hpp"

#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tofud::journal {
namespace {

class Backup : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  Backup() {
    for (const char* id : {"20261121T0312-0001", "20261121T0312-0002"}) {
      EXPECT_EQ(store_.create(some_run(id)), "");
      EXPECT_EQ(store_.append(id, "one\n").failure.text(), "");
    }
    EXPECT_EQ(store_.complete("20261121T0312-0001"), "");
    put_text(root_ / "tokens", "{}\n");
  }
  std::string copy(disk& on = real_disk()) {
    const auto made = back_up(on, root_.path(), to_ / "backup");
    if (!made) return made.error().text();
    counts_ = *made;
    return "";
  }
  std::string checked() {
    const auto found = check_backup(real_disk(), to_ / "backup");
    return found ? "" : found.error().text();
  }
  std::string copied(const std::string& path) const { return text_of(to_ / ("backup/" + path)); }

  scratch_root root_, to_;
  opened_store store_{root_.path()};
  backup_counts counts_;
};

TEST_F(Backup, HasRunsAndTokensAndIsOpenedAsAJournal) {
  EXPECT_EQ(copy(), "");
  EXPECT_EQ(counts_.runs, 2U);
  EXPECT_EQ(counts_.copied, counts_.files);
  EXPECT_EQ(checked(), "");
  EXPECT_EQ(copied("tokens"), "{}\n");
  EXPECT_FALSE(std::filesystem::exists(to_ / "backup/index.sqlite"));
  opened_store again{to_ / "backup"};
  ASSERT_EQ(again.found.size(), 2U);
  for (const kept_run& run : again.found) EXPECT_EQ(run.remark, "");
  EXPECT_EQ(again.stream("20261121T0312-0002"), "one\n");
}

TEST_F(Backup, ASecondOneCopiesWhatIsNewAndLetsGoOfWhatIsGone) {
  EXPECT_EQ(copy(), "");
  EXPECT_EQ(store_.append("20261121T0312-0002", "two\n").failure.text(), "");
  EXPECT_EQ(store_.remove("20261121T0312-0001"), "");
  EXPECT_EQ(copy(), "");
  EXPECT_EQ(counts_.runs, 1U);
  EXPECT_EQ(copied("runs/20261121T0312-0002/stream.jsonl"), "one\ntwo\n");
  EXPECT_FALSE(std::filesystem::exists(to_ / "backup/runs/20261121T0312-0001"));
  EXPECT_NE(copied("removed.jsonl").find("20261121T0312-0001"), std::string::npos);
  // Its stream, arrivals, what was removed, and the tokens, which are small.
  EXPECT_LE(counts_.copied, 4U);
  EXPECT_EQ(checked(), "");
  const auto before = counts_.files;
  EXPECT_EQ(copy(), "");
  EXPECT_EQ(counts_.files, before);
  EXPECT_LE(counts_.copied, 2U);
}

TEST_F(Backup, AnAttachmentThatIsReplacedByOneOfItsLengthIsCopied) {
  const std::string plan = "runs/20261121T0312-0002/attachments/plan.json";
  std::filesystem::create_directories(root_ / "runs/20261121T0312-0002/attachments");
  put_text(root_ / plan, "{\"a\":1}");
  EXPECT_EQ(copy(), "");
  put_text(root_ / plan, "{\"a\":2}");
  EXPECT_EQ(copy(), "");
  EXPECT_EQ(copied(plan), "{\"a\":2}");
}

TEST_F(Backup, HoweverFarItCameItIsWholeOrSaysThatItIsNot) {
  std::uint64_t operations = 0;
  {
    faulty_disk counting;
    EXPECT_EQ(copy(counting), "");
    operations = counting.operations();
  }
  ASSERT_GT(operations, 40U);
  for (std::uint64_t at = 0; at < operations; ++at) {
    std::filesystem::remove_all(to_ / "backup");
    if (at % 2 == 1) {  // over one that was there before
      EXPECT_EQ(copy(), "");
      EXPECT_EQ(store_.append("20261121T0312-0002", "more\n").failure.text(), "");
    }
    faulty_disk disk;
    disk.crash_at(at);
    copy(disk);
    const std::string first = checked();
    EXPECT_TRUE(first.empty() || first.find("did not come to its end") != std::string::npos)
        << at << ": " << first;
    EXPECT_EQ(copy(), "") << at;
    EXPECT_EQ(checked(), "") << at;
  }
}

TEST_F(Backup, ARefusalNamesTheFile) {
  faulty_disk disk{refuses("pwrite", "/tokens.unfinished", ENOSPC)};
  EXPECT_EQ(copy(disk),
            to_ / "backup/tokens.unfinished: can't be written: No space left on device");
  EXPECT_EQ(back_up(real_disk(), to_ / "nothing", to_ / "other").error().text(),
            to_ / "nothing/runs: can't be read: No such file or directory");
}

}  // namespace
}  // namespace tofud::journal
