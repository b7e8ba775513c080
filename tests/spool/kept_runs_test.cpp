#include "daemon/spool/kept_runs.hpp"

#include "protocol/text/failure.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sys/stat.h>

namespace tofud::spool {
namespace {

using texts = std::vector<std::string>;

environment only(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

// No run of the user's own counts.
environment nothing(const tests::scratch_directory& home) {
  return only({{"HOME", home / "home"}, {"TMPDIR", home / "tmp"}});
}

texts ids(const text::result<std::vector<kept_run>>& runs) {
  texts found;
  for (const kept_run& run : *runs) found.push_back(run.id);
  return found;
}

TEST(KeptRuns, AreTheSpoolsNewestFirstAndNothingElse) {
  const tests::scratch_directory place;
  for (const char* name :
       {"20261121T0312-7f3a.jsonl", "20261121T0312-7f3a.events", "20261122T0000-0000.jsonl",
        "20251231T2359-ffff.jsonl", "notes.jsonl", "20261121T0312-7f3a.state.json"}) {
    tests::write_file(place / name, "");
  }
  ::symlink("/etc/passwd", (place / "20271121T0312-7f3a.jsonl").c_str());
  EXPECT_EQ(ids(kept_runs(place.path(), nothing(place))),
            (texts{"20261122T0000-0000", "20261121T0312-7f3a", "20251231T2359-ffff"}));
}

TEST(KeptRuns, RunsOfOneMinuteAreOrderedByCreation) {
  const tests::scratch_directory place;
  texts expected;
  for (const char* id : {"20261121T0312-5555", "20261121T0312-0000", "20261121T0312-9999"}) {
    tests::write_file(place / (std::string{id} + ".jsonl"), "x");
    ::usleep(20'000);  // a clock tick of the file system
    expected.insert(expected.begin(), id);
  }
  EXPECT_EQ(ids(kept_runs(place.path(), nothing(place))), expected);
}

TEST(KeptRuns, AreLookedForInEveryPlaceButOnlyThereWhereOneIsNamed) {
  const tests::scratch_directory home;
  ::mkdir((home / "a").c_str(), 0700);
  ::mkdir((home / "b").c_str(), 0700);
  ::mkdir((home / "b/tofud").c_str(), 0700);
  tests::write_file(home / "a/20261121T0312-aaaa.jsonl", "");
  tests::write_file(home / "b/tofud/20261121T0313-bbbb.jsonl", "");
  const auto env = only(
      {{"STATE_DIRECTORY", home / "a"}, {"XDG_STATE_HOME", home / "b"}, {"TMPDIR", home / "tmp"}});
  EXPECT_EQ(ids(kept_runs("", env)), (texts{"20261121T0313-bbbb", "20261121T0312-aaaa"}));
  EXPECT_EQ(ids(kept_runs(home / "a", env)), (texts{"20261121T0312-aaaa"}));
  const auto both = only({{"STATE_DIRECTORY", home / "b/tofud"},
                          {"XDG_STATE_HOME", home / "b"},
                          {"TMPDIR", home / "tmp"}});
  EXPECT_EQ(ids(kept_runs("", both)), (texts{"20261121T0313-bbbb"}));
}

TEST(KeptRuns, RunsInADirectoryOpenToOthersAreIgnored) {
  const tests::scratch_directory home;
  const std::string shared = home / ("tofud-" + std::to_string(::geteuid()));
  ::mkdir(shared.c_str(), 0700);
  tests::write_file(shared + "/20261121T0312-aaaa.jsonl", "");
  const auto env = only({{"TMPDIR", home.path()}});
  EXPECT_EQ(ids(kept_runs("", env)).size(), 1U);
  ::chmod(shared.c_str(), 0777);
  EXPECT_EQ(ids(kept_runs("", env)).size(), 0U);
}

TEST(KeptRuns, ListingMakesNoDirectory) {
  const tests::scratch_directory home;
  EXPECT_EQ(ids(kept_runs("", nothing(home))).size(), 0U);
  EXPECT_NE(::access((home / "home").c_str(), F_OK), 0);
  EXPECT_TRUE(kept_runs(home / "no", nothing(home)).has_error());
}

class RunChoice : public testing::Test {
 protected:
  RunChoice() {
    for (const char* id : {"20261121T0312-7f3a", "20261121T0312-7abc", "20261122T0000-0000"}) {
      tests::write_file(place_ / (std::string{id} + ".jsonl"), "");
    }
  }
  auto choose(const std::string& text) { return choose_run(text, place_.path(), nothing(place_)); }

  tests::scratch_directory place_;
};

TEST_F(RunChoice, IsAnIdOrTheBeginningOfOneAlone) {
  const std::string path = place_ / "20261121T0312-7f3a.jsonl";
  EXPECT_EQ(choose("20261121T0312-7f3a")->path, path);
  EXPECT_EQ(choose("20261121T0312-7f")->path, path);
  EXPECT_EQ(choose("20261121T0312-7f")->only, "");
  EXPECT_NE(choose("20261121").error().text().find("beginning of 2 run ids"), std::string::npos);
  EXPECT_NE(choose("2027").error().text().find("no run '2027' is stored"), std::string::npos);
  EXPECT_TRUE(choose("").has_error());
}

TEST_F(RunChoice, LastIsTheNewest) {
  EXPECT_EQ(choose("last")->path, place_ / "20261122T0000-0000.jsonl");
}

TEST_F(RunChoice, NumbersTheRunsOfAStream) {
  EXPECT_EQ(choose("20261121T0312-7f3a.3")->only, "20261121T0312-7f3a.3");
  EXPECT_EQ(choose("20261122.2")->only, "20261122T0000-0000.2");
  EXPECT_EQ(choose("20261122.1")->only, "20261122T0000-0000");
  EXPECT_TRUE(choose("20261121T0312-7f3a.x").has_error());
}

TEST_F(RunChoice, IsAFileIfItLooksLikeOneOrThereIsOne) {
  EXPECT_EQ(choose("/no/such/file")->path, "/no/such/file");
  EXPECT_EQ(choose("./last")->path, "./last");
}

}  // namespace
}  // namespace tofud::spool
