#include "daemon/spool/spool_place.hpp"

#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::spool {

std::ostream& operator<<(std::ostream& out, const place_candidate& candidate) {
  return out << candidate.directory;
}

namespace {

environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

std::string own() { return "/tofud-" + std::to_string(::geteuid()); }

TEST(SpoolPlace, ExplicitPlacesAreTriedFirst) {
  const auto env = variables({{"STATE_DIRECTORY", "/var/lib/tofud"},
                              {"XDG_STATE_HOME", "/home/u/.state"},
                              {"HOME", "/home/u"},
                              {"TMPDIR", "/scratch"}});
  const std::vector<place_candidate> expected = {{"/given", place_trust::ours},
                                                 {"/var/lib/tofud", place_trust::ours},
                                                 {"/home/u/.state/tofud", place_trust::ours},
                                                 {"/home/u/.local/state/tofud", place_trust::ours},
                                                 {"/scratch" + own(), place_trust::shared}};
  EXPECT_EQ(place_candidates("/given", env), expected);
}

TEST(SpoolPlace, EmptyEnvironmentLeavesTmp) {
  const std::vector<place_candidate> expected = {{"/tmp" + own(), place_trust::shared}};
  EXPECT_EQ(place_candidates("", variables({})), expected);
}

TEST(SpoolPlace, EmptyAndRelativeVariablesAreLeftOut) {
  const auto env = variables({{"XDG_STATE_HOME", "state"}, {"HOME", ""}, {"TMPDIR", "tmp"}});
  const std::vector<place_candidate> expected = {{"/tmp" + own(), place_trust::shared}};
  EXPECT_EQ(place_candidates("", env), expected);
}

TEST(SpoolPlace, FirstOfSeveralStateDirectoriesOfAUnitIsTaken) {
  const auto places = place_candidates("", variables({{"STATE_DIRECTORY", "/var/lib/a:/srv/b"}}));
  EXPECT_EQ(places.front().directory, "/var/lib/a");
}

TEST(SpoolPlace, RelativeStateDirIsMeantFromHere) {
  const auto places = place_candidates("spools", variables({}));
  EXPECT_EQ(places.front().directory, std::filesystem::current_path() / "spools");
}

TEST(SpoolPlace, MissingDirectoriesAreMadeForTheUserAlone) {
  const tests::scratch_directory scratch;
  const auto entered = enter_place({scratch / "a/b/c"});
  ASSERT_TRUE(entered.place) << entered.refusal;
  struct stat facts {};
  ASSERT_EQ(::stat((scratch / "a/b/c").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0700U);
}

TEST(SpoolPlace, DirectoryBelowAFileIsRefused) {
  const tests::scratch_directory scratch;
  tests::write_file(scratch / "file", "");
  const auto entered = enter_place({scratch / "file/tofud"});
  EXPECT_FALSE(entered.place);
  EXPECT_NE(entered.refusal, "");
}

TEST(SpoolPlace, SharedDirectoryIsMadeForTheUserAlone) {
  const tests::scratch_directory scratch;
  ASSERT_TRUE(enter_place({scratch / "tofud-0", place_trust::shared}).place);
  EXPECT_TRUE(enter_place({scratch / "tofud-0", place_trust::shared}).place);  // and found again
}

TEST(SpoolPlace, SharedDirectoryThatOthersMayReadIsRefused) {
  const tests::scratch_directory scratch;
  ASSERT_EQ(::mkdir((scratch / "open").c_str(), 0700), 0);
  ASSERT_EQ(::chmod((scratch / "open").c_str(), 0750), 0);
  EXPECT_FALSE(enter_place({scratch / "open", place_trust::shared}).place);
  EXPECT_TRUE(enter_place({scratch / "open", place_trust::ours}).place);
}

TEST(SpoolPlace, ASharedDirectoryOfAnotherUserIsRefused) {
  const tests::scratch_directory scratch;
  ASSERT_EQ(::mkdir((scratch / "theirs").c_str(), 0700), 0);
  if (::chown((scratch / "theirs").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "needs root";
  EXPECT_FALSE(enter_place({scratch / "theirs", place_trust::shared}).place);
}

TEST(SpoolPlace, SymbolicLinkInASharedPlaceIsRefused) {
  const tests::scratch_directory scratch;
  ASSERT_EQ(::mkdir((scratch / "real").c_str(), 0700), 0);
  std::filesystem::create_symlink(scratch / "real", scratch / "link");
  EXPECT_FALSE(enter_place({scratch / "link", place_trust::shared}).place);
  EXPECT_TRUE(enter_place({scratch / "link", place_trust::ours}).place);
}

TEST(SpoolPlace, NetworkFilesystemsAreKnownByTheirNumbers) {
  EXPECT_TRUE(is_network_filesystem(0x6969));              // NFS
  EXPECT_TRUE(is_network_filesystem(0xffffffffff534d42));  // CIFS, signed
  EXPECT_TRUE(is_network_filesystem(0x65735546));          // FUSE
  EXPECT_FALSE(is_network_filesystem(0xef53));             // ext4
  EXPECT_FALSE(is_network_filesystem(0x01021994));         // tmpfs
}

}  // namespace
}  // namespace tofud::spool
