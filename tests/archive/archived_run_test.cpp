#include "daemon/archive/archived_run.hpp"

#include "daemon/archive/check.hpp"
#include "daemon/archive/directory_place.hpp"
#include "daemon/archive/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "tests/journal/faulty_disk.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tofud::archive {
namespace {

using journal::at_second;
using journal::faulty_disk;
using journal::opened_store;
using journal::put_text;
using journal::real_disk;
using journal::scratch_root;
using journal::text_of;
using names = std::vector<std::string>;
using namespace std::chrono_literals;

constexpr const char* over = "20261121T0312-0001";
constexpr const char* going = "20261121T0312-0002";

class Archived : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  Archived() {
    for (const char* id : {over, going}) {
      EXPECT_EQ(store_.create(journal::some_run(id)), "");
      EXPECT_EQ(store_.append(id, "one\n").failure.text(), "");
    }
    std::filesystem::create_directory(root_ / ("runs/" + std::string{over} + "/attachments"));
    put_text(root_ / ("runs/" + std::string{over} + "/attachments/plan.json"), "{}");
    EXPECT_EQ(store_.complete(over), "");
    journal::until_compressed(root_.path(), over);
  }
  looked_at look(ui::time_point now = at_second(3) + limits::archive_waits_for_compression) {
    return look_at_runs(real_disk(), root_.path(), place_, {}, now);
  }
  names waiting() {
    names ids;
    for (const auto& each : look().waiting) ids.push_back(each.id);
    return ids;
  }
  std::string archive(const std::string& id = over, journal::disk& on = real_disk()) {
    directory_place into{on, place_};
    if (const auto wrong = into.begin(used_before::no); !wrong.empty()) return wrong.text();
    const auto sent = archive_run(on, root_.path(), id, into, place_, at_second(5));
    return sent ? "" : sent.error().text();
  }
  std::string remove(const std::string& id = over, journal::disk& on = real_disk()) {
    directory_place from{on, place_};
    return remove_archived(on, root_.path(), id, from).text();
  }
  std::string checked() const {
    const auto found = check(real_disk(), place_);
    return found ? std::to_string(found->runs) : found.error().text();
  }

  scratch_root root_, to_;
  std::string place_ = to_ / "archive";
  opened_store store_{root_.path()};
};

TEST_F(Archived, RunsAreThereWithAllTheyHaveAndAreOpenedAsAJournal) {
  EXPECT_EQ(waiting(), names{over});
  EXPECT_EQ(archive(), "");
  EXPECT_EQ(checked(), "1");
  EXPECT_EQ(waiting(), names{});
  EXPECT_EQ(look().archived, names{over});
  EXPECT_EQ(text_of(place_ + "/runs/" + over + "/attachments/plan.json"), "{}");
  EXPECT_FALSE(std::filesystem::exists(place_ + "/runs/" + over + "/archived"));
  opened_store again{place_};
  ASSERT_EQ(again.found.size(), 1U);
  EXPECT_EQ(again.found.front().remark, "");
  EXPECT_TRUE(again.found.front().complete);
  EXPECT_EQ(again.stream(over), "one\n");
}

TEST_F(Archived, ARunThatGoesOnOrIsNotCompressedYetDoesNotWait) {
  const std::string stream = root_ / ("runs/" + std::string{over} + "/stream.jsonl");
  std::filesystem::remove(stream + ".gz");
  put_text(stream, "one\n");
  EXPECT_TRUE(look(at_second(4)).waiting.empty());
  EXPECT_EQ(waiting(), names{over});  // nobody compresses it any more
}

TEST_F(Archived, ARunThatWasGivenUpIsArchivedAndAgainWhenItEndsAfterAll) {
  const auto late = operations::utc_now() + 25h;
  const auto found = look(late).waiting;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(archive(going), "");
  EXPECT_EQ(look(late).archived, names{going});
  EXPECT_EQ(store_.append(going, "two\n").failure.text(), "");
  EXPECT_EQ(store_.complete(going), "");
  journal::until_compressed(root_.path(), going);
  EXPECT_EQ(waiting(), (names{over, going}));
  EXPECT_EQ(archive(going), "");
  EXPECT_EQ(checked(), "1");
  EXPECT_EQ(look().archived, names{going});
  // What the first copy had, and the run has no longer, is gone.
  EXPECT_FALSE(std::filesystem::exists(place_ + "/runs/" + going + "/stream.jsonl"));
}

TEST_F(Archived, AnotherPlaceKnowsNothingOfIt) {
  EXPECT_EQ(archive(), "");
  place_ = to_ / "other";
  EXPECT_EQ(waiting(), names{over});
}

TEST_F(Archived, HoweverFarItCameItIsWholeOrSaysThatItIsNot) {
  std::uint64_t operations = 0;
  {
    faulty_disk counting;
    EXPECT_EQ(archive(over, counting), "");
    operations = counting.operations();
  }
  ASSERT_GT(operations, 40U);
  for (std::uint64_t at = 0; at < operations; ++at) {
    std::filesystem::remove_all(place_);
    std::filesystem::remove(root_ / ("runs/" + std::string{over} + "/archived"));
    faulty_disk disk;
    disk.crash_at(at);
    archive(over, disk);
    const std::string first = checked();
    EXPECT_TRUE(first == "1" || first == "0" || first.ends_with("the daemon does it again") ||
                first.find("has no manifest.jsonl") != std::string::npos)
        << at << ": " << first;
    if (look().archived == names{over}) {
      EXPECT_EQ(first, "1") << at;
    }
    EXPECT_EQ(archive(), "") << at;
    EXPECT_EQ(checked(), "1") << at;
    EXPECT_EQ(waiting(), names{}) << at;
  }
}

TEST_F(Archived, RemovedItIsGoneHoweverOftenThatWasTried) {
  EXPECT_EQ(archive(), "");
  std::uint64_t operations = 0;
  {
    faulty_disk counting;
    EXPECT_EQ(remove(over, counting), "");
    operations = counting.operations();
  }
  EXPECT_FALSE(std::filesystem::exists(place_ + "/runs/" + over));
  EXPECT_EQ(remove(), "");
  for (std::uint64_t at = 0; at < operations; ++at) {
    EXPECT_EQ(archive(), "") << at;
    faulty_disk disk;
    disk.crash_at(at);
    remove(over, disk);
    EXPECT_EQ(remove(), "") << at;
    EXPECT_FALSE(std::filesystem::exists(place_ + "/runs/" + over)) << at;
    EXPECT_EQ(waiting(), names{over}) << at;
  }
}

TEST_F(Archived, ACutFileIsNamed) {
  EXPECT_EQ(archive(), "");
  const std::string header = place_ + "/runs/" + over + "/header.json";
  const std::string text = text_of(header);
  std::filesystem::resize_file(header, 3);
  EXPECT_EQ(checked(), header + ": ends at byte 3 of " + std::to_string(text.size()));
  std::filesystem::remove(place_ + "/runs/" + over + "/manifest.jsonl");
  EXPECT_EQ(checked(), place_ + "/runs/" + over +
                           ": has no manifest.jsonl: this run was not archived to its end; the "
                           "daemon does it again");
}

TEST_F(Archived, WhereNothingIsMountedNothingIsWritten) {
  EXPECT_EQ(archive(), "");
  std::filesystem::remove_all(place_);
  directory_place into{real_disk(), place_};
  EXPECT_EQ(into.begin(used_before::yes).text(),
            place_ +
                ": has no archive.json, though runs were archived there before; mount what belongs "
                "there, or make that file if it is to go on without them");
  EXPECT_FALSE(std::filesystem::exists(place_));
  // Nor is anything called removed there.
  EXPECT_NE(remove(), "");
  EXPECT_TRUE(std::filesystem::exists(root_ / ("runs/" + std::string{over} + "/archived")));
}

TEST_F(Archived, ARunThatIsRemovedMeanwhileIsNoFailure) {
  EXPECT_EQ(store_.remove(over), "");
  EXPECT_EQ(archive(), "");
  EXPECT_EQ(checked(), "0");
}

TEST(Mark, IsReadAsItWasWritten) {
  const mark of{
      "s3://b/p", at_second(7), true, {{"header.json", 412}, {"attachments/plan.json", 3}}};
  const auto read = parse_mark(to_text(of));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->to, of.to);
  EXPECT_EQ(read->at, of.at);
  EXPECT_EQ(read->files, of.files);
  EXPECT_TRUE(read->whole);
  for (const char* bad :
       {"", "{}", "[]", R"({"to":"x","at":"yesterday","whole":true,"files":{}})",
        R"({"to":"x","at":"2026-11-21T03:12:06Z","whole":1,"files":{}})",
        R"({"to":"x","at":"2026-11-21T03:12:06Z","whole":true,"files":{"a":-1}})"})
    EXPECT_FALSE(parse_mark(bad)) << bad;
}

}  // namespace
}  // namespace tofud::archive
