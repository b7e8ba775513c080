#include "daemon/access/token_file.hpp"

#include "daemon/access/errors.hpp"
#include "tests/access/scratch_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace tofud::access {
namespace {

using tests::scratch_file;

const time noon{std::chrono::hours{1'000'000}};

TEST(TokenFile, MissingFileHasNoTokens) {
  const scratch_file file;
  EXPECT_TRUE(read_token_file(file.path())->all.empty());
}

TEST(TokenFile, IsItsOwnersOnly) {
  scratch_file file;
  file.add({true, false, false}, noon);
  struct stat facts {};
  ASSERT_EQ(::stat(file.path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST(TokenFile, ChangesAtTheSameTimeAreAllKept) {
  scratch_file file;
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) {
    all.emplace_back([&file] {
      for (int n = 0; n < 8; ++n) file.add({true, false, false}, noon);
    });
  }
  for (auto& one : all) one.join();
  EXPECT_EQ(read_token_file(file.path())->all.size(), 64U);
}

TEST(TokenFile, AnInvalidLineIsReportedAndNotLost) {
  scratch_file file;
  file.add({true, false, false}, noon);
  std::ofstream{file.path(), std::ios::app} << "nonsense\n";
  const auto read = read_token_file(file.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->all.size(), 1U);
  ASSERT_EQ(read->refused.size(), 1U);
  EXPECT_NE(read->refused.front().find("tokens:2 is not a token"), std::string::npos);
  const auto refusal =
      change_token_file(file.path(), [](std::vector<token>&) { return text::failure{}; });
  EXPECT_NE(refusal.text().find("correct or remove that line"), std::string::npos);
}

TEST(TokenFile, AChangeThatIsRefusedChangesNothing) {
  scratch_file file;
  file.add({true, false, false}, noon);
  EXPECT_TRUE(change_token_file(file.path(), [](std::vector<token>& all) {
                all.clear();
                return text::failure{error::no_such_token};
              }).is(error::no_such_token));
  EXPECT_EQ(read_token_file(file.path())->all.size(), 1U);
}

TEST(TokenFile, FileThatOthersMayWriteHasNoTokens) {
  scratch_file file;
  file.add({true, false, false}, noon);
  for (const mode_t mode : {0620U, 0602U, 0666U}) {
    ASSERT_EQ(::chmod(file.path().c_str(), mode), 0);
    const auto read = read_token_file(file.path());
    ASSERT_FALSE(read) << mode;
    EXPECT_NE(read.error().text().find("other users can write"), std::string::npos);
    EXPECT_TRUE(read.error().is(error::writable_by_others));
  }
  ASSERT_EQ(::chmod(file.path().c_str(), 0644), 0);
  EXPECT_EQ(read_token_file(file.path())->all.size(), 1U);
}

TEST(TokenFile, ADirectoryInItsPlaceIsAFailure) {
  const scratch_file file;
  std::filesystem::create_directory(file.path());
  const auto read = read_token_file(file.path());
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().is(error::unreadable));
}

}  // namespace
}  // namespace tofud::access
