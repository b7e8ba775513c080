#include "daemon/cli/config_sources.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace tofud::cli {
namespace {

spool::environment environment(std::map<std::string, std::string> all) {
  return [all = std::move(all)](const char* name) -> std::optional<std::string> {
    const auto found = all.find(name);
    if (found == all.end()) return std::nullopt;
    return found->second;
  };
}

class ConfigPlaces : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tofud-config-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  std::string write(const std::string& name, const std::string& text = "") {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << text;
    return path.string();
  }
  std::filesystem::path root_;
};

using paths = std::vector<std::string>;

TEST_F(ConfigPlaces, AreTheMachinesThenItsPartsByNameThenTheUsers) {
  const auto second = write("etc/conf.d/20-second.toml");
  const auto first = write("etc/conf.d/10-first.toml");
  write("etc/conf.d/30-old.toml.bak");
  write("etc/conf.d/.hidden.toml");
  const std::string etc = root_ / "etc";
  EXPECT_EQ(config_places(environment({{"HOME", "/h"}}), etc),
            (paths{etc + "/tofud.toml", first, second, "/h/.config/tofud/tofud.toml"}));
}

TEST_F(ConfigPlaces, TheUsersFileIsInTheXdgDirectory) {
  const std::string etc = root_ / "nothing";
  const std::string all = etc + "/tofud.toml";
  EXPECT_EQ(config_places(environment({{"XDG_CONFIG_HOME", "/x"}, {"HOME", "/h"}}), etc),
            (paths{all, "/x/tofud/tofud.toml"}));
  EXPECT_EQ(config_places(environment({{"XDG_CONFIG_HOME", "x"}, {"HOME", "/h"}}), etc),
            (paths{all, "/h/.config/tofud/tofud.toml"}));
  EXPECT_EQ(config_places(environment({}), etc), paths{all});
}

TEST_F(ConfigPlaces, ANamedFileThatIsMissingIsAnError) {
  const auto there = write("a.toml", "retain.days = 1\n");
  const auto said = read_config(there, {}, environment({}));
  ASSERT_EQ(said.from.files.size(), 1U);
  EXPECT_EQ(said.from.files[0].text, "retain.days = 1\n");
  const auto missing = read_config("", {}, environment({{"TOFUD_CONFIG", there + ".not"}}));
  ASSERT_EQ(missing.failures.size(), 1U);
  EXPECT_EQ(to_string(missing.failures[0]),
            "can't read " + there + ".not: No such file or directory");
}

TEST_F(ConfigPlaces, ADirectoryOfPartsThatCannotBeListedIsAnError) {
  const std::string etc = root_ / "etc", parts = etc + "/conf.d";
  std::filesystem::create_directories(etc);
  std::filesystem::create_directory_symlink(parts, parts);
  EXPECT_EQ(config_places(environment({}), etc), (paths{etc + "/tofud.toml", parts}));
  ASSERT_EQ(read_files({parts}).failures.size(), 1U);
}

TEST_F(ConfigPlaces, AMissingUserFileIsNoError) {
  const auto said = read_config("", {}, environment({{"HOME", root_.string()}}));
  EXPECT_TRUE(said.failures.empty());
}

}  // namespace
}  // namespace tofud::cli
