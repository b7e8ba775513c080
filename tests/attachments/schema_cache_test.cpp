#include "daemon/attachments/schema_cache.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>

namespace tofud {
namespace {

namespace fs = std::filesystem;

class SchemaCache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "tofud-cache-XXXXXX").string();
    ASSERT_NE(::mkdtemp(made.data()), nullptr);
    home = made;
  }
  void TearDown() override { fs::remove_all(home); }

  /// As if it had been used so long ago.
  void age(const std::string& path, std::chrono::hours by) const {
    fs::last_write_time(path, fs::file_time_type::clock::now() - by);
  }
  std::string directory() const { return (home / "above" / "cache").string(); }

  fs::path home;
};

TEST_F(SchemaCache, AStoredSchemaIsFound) {
  const attachments::schema_cache cache{directory()};
  EXPECT_EQ(cache.find("a"), std::nullopt);
  cache.keep("a", "bytes");
  const auto path = cache.find("a");
  ASSERT_TRUE(path);
  std::ifstream file{*path};
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>{file}, {}), "bytes");
  EXPECT_EQ(fs::status(*path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  cache.drop("a");
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(SchemaCache, TheLeastRecentlyUsedGoesFirst) {
  const attachments::schema_cache cache{directory(), 10};
  for (const char* key : {"a", "b"}) cache.keep(key, "12345");
  age(*cache.find("a"), std::chrono::hours{2});
  age(*cache.find("b"), std::chrono::hours{1});
  cache.find("a");  // used again
  cache.keep("c", "12345");
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
}

TEST_F(SchemaCache, ASchemaLargerThanTheCacheEvictsNothing) {
  const attachments::schema_cache cache{directory(), 10};
  cache.keep("a", "12345");
  cache.keep("b", "12345678901");
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
}

TEST_F(SchemaCache, FilesOfAKilledWriterGoAndThoseBeingWrittenStay) {
  const attachments::schema_cache cache{directory()};
  cache.keep("a", "1");
  const fs::path folder = fs::path{*cache.find("a")}.parent_path();
  const std::string old = folder / "b.json.gz.1.part", fresh = folder / "c.json.gz.2.part";
  std::ofstream{old} << "half";
  std::ofstream{fresh} << "half";
  age(old, std::chrono::hours{2});
  cache.keep("d", "1");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(SchemaCache, NothingIsCachedWithoutADirectory) {
  const attachments::schema_cache cache{""};
  cache.keep("a", "1");
  EXPECT_FALSE(cache.find("a"));
  EXPECT_FALSE(fs::exists("/schemas/a.json.gz"));
}

TEST_F(SchemaCache, KeysDifferByLockFileProgramAndUseOfItsOwnProviders) {
  const stack::tofu_version tofu{stack::product::opentofu, 1, 9, "1.9.8"};
  const stack::tofu_version terraform{stack::product::terraform, 1, 9, "1.9.8"};
  const std::string key = attachments::schemas_key("lock", tofu, false);
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(key, attachments::schemas_key("lock", tofu, false));
  EXPECT_NE(key, attachments::schemas_key("lock", tofu, true));
  EXPECT_NE(key, attachments::schemas_key("other", tofu, false));
  EXPECT_NE(key, attachments::schemas_key("lock", terraform, false));
}

TEST_F(SchemaCache, ProvidersUnderDevelopmentAreReported) {
  const std::string file = (home / "own.tfrc").string();
  std::ofstream{file} << "provider_installation {\n  dev_overrides { \"a/b\" = \"/c\" }\n}\n";
  std::ofstream{home / ".tofurc"} << "plugin_cache_dir = \"/cache\"\n";
  using variables = std::map<std::string, std::string>;
  const auto develops = [](const variables& set) {
    return attachments::develops_providers([&](const char* name) -> std::optional<std::string> {
      const auto found = set.find(name);
      if (found == set.end()) return std::nullopt;
      return found->second;
    });
  };
  EXPECT_FALSE(develops({}));
  EXPECT_FALSE(develops({{"HOME", home.string()}, {"TF_CLI_CONFIG_FILE", "/nonexistent"}}));
  EXPECT_TRUE(develops({{"TF_REATTACH_PROVIDERS", "{}"}}));
  EXPECT_TRUE(develops({{"TF_CLI_CONFIG_FILE", file}}));
  fs::rename(file, home / ".tofurc");
  EXPECT_TRUE(develops({{"HOME", home.string()}}));
}

}  // namespace
}  // namespace tofud
