#include "daemon/attachments/configuration_files.hpp"

#include "daemon/attachments/limits.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;

class ConfigurationFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tofud-configuration-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream{root_ / name} << text;
  }

  static std::string place_of(const config::configuration& in, std::string_view address) {
    const config::block* const found = in.find(address);
    return found == nullptr ? "nowhere" : to_string(found->at);
  }

  static std::vector<std::string> problems_of(const config::configuration& in) {
    std::vector<std::string> found;
    for (const config::problem& each : in.problems) {
      std::ostringstream text;
      text << each;
      found.push_back(text.str());
    }
    return found;
  }

  using lines = std::vector<std::string>;
  fs::path root_;
};

TEST_F(ConfigurationFiles, AreThoseThatOpenTofuReads) {
  write("a.tf", "broken {");
  write("a.tofu", "resource \"a\" \"b\" {}");
  write(".hidden.tf", "broken {");
  write("notes.txt", "broken {");
  fs::create_directory(root_ / "folder.tf");
  const auto read = read_from_disk(root_);
  EXPECT_EQ(problems_of(read), lines{});
  EXPECT_EQ(place_of(read, "a.b"), "a.tofu:1:1");
}

TEST_F(ConfigurationFiles, ModulesAreFoundWhereInitPutThem) {
  write("main.tf", "module \"m\" {\n  source = \"a/b/c\"\n}");
  write("x.tf", "resource \"a\" \"b\" {}");
  for (const std::string data : {".terraform", "elsewhere"}) {
    write(data + "/modules/modules.json",
          R"({"Modules":[{"Key":"m","Source":"a/b/c","Dir":")" + data + R"(/modules/m"}]})");
    write(data + "/modules/m/main.tf", "resource \"a\" \"c\" {}");
  }
  EXPECT_EQ(place_of(read_from_disk(root_), "module.m.a.c"), ".terraform/modules/m/main.tf:1:1");
  EXPECT_EQ(place_of(read_from_disk(root_, "elsewhere"), "module.m.a.c"),
            "elsewhere/modules/m/main.tf:1:1");
}

TEST_F(ConfigurationFiles, MayLieAboveTheRootModule) {
  write("live/main.tf", "module \"m\" {\n  source = \"../m\"\n}");
  write("m/main.tf", "resource \"a\" \"b\" {}");
  EXPECT_EQ(place_of(read_from_disk(root_ / "live"), "module.m.a.b"), "../m/main.tf:1:1");
}

TEST_F(ConfigurationFiles, UnreadableFilesAreSkipped) {
  write("b.tf", "resource \"a\" \"b\" {}");
  ASSERT_EQ(::mkfifo((root_ / "a.tf").c_str(), 0600), 0);
  fs::create_symlink("nowhere", root_ / "c.tf");
  write("large.tf", "");
  fs::resize_file(root_ / "large.tf", limits::module_file_bytes + 1);
  const auto read = read_from_disk(root_);
  EXPECT_EQ(place_of(read, "a.b"), "b.tf:1:1");
  EXPECT_EQ(problems_of(read), (lines{"a.tf:1:1: can't be read: it is not a regular file",
                                      "c.tf:1:1: can't be read: No such file or directory",
                                      "large.tf:1:1: can't be read: it has more than 16384 KiB"}));
}

TEST_F(ConfigurationFiles, FilesBeyondTheLimitAreSkipped) {
  for (std::size_t i = 0; i <= limits::module_files; ++i) write(std::to_string(i) + ".tf", "");
  EXPECT_EQ(problems_of(read_from_disk(root_)), lines{".:1:1: has more than 1000 files"});
}

TEST_F(ConfigurationFiles, TakeNoMoreBytesThanTheLimit) {
  const std::size_t whole = limits::configuration_bytes / limits::module_file_bytes;
  for (std::size_t i = 0; i <= whole; ++i) {
    const std::string name = std::to_string(i) + ".tf";
    write(name, "");
    std::ofstream{root_ / name} << std::string(limits::module_file_bytes, ' ');
  }
  EXPECT_EQ(problems_of(read_from_disk(root_)),
            lines{"4.tf:1:1: is skipped: the configuration is too large"});
}

TEST_F(ConfigurationFiles, MissingDirectoryIsAProblem) {
  EXPECT_EQ(problems_of(read_from_disk(root_ / "none")),
            lines{".:1:1: can't be read: No such file or directory"});
}

TEST_F(ConfigurationFiles, BrokenManifestFallsBackToPaths) {
  write(".terraform/modules/modules.json", "{");
  write("main.tf", "module \"m\" {\n  source = \"./m\"\n}");
  write("m/main.tf", "resource \"a\" \"b\" {}");
  const auto read = read_from_disk(root_);
  EXPECT_EQ(place_of(read, "module.m.a.b"), "m/main.tf:1:1");
  EXPECT_EQ(
      problems_of(read),
      lines{".terraform/modules/modules.json:1:2: invalid JSON; everything before it was read"});
}

}  // namespace
}  // namespace tofud::attachments
