#include "protocol/config/file_names.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

using names = std::vector<std::string>;

TEST(FileNames, GiveTheSyntax) {
  EXPECT_EQ(syntax_of("main.tf"), file_syntax::native);
  EXPECT_EQ(syntax_of("main.tofu"), file_syntax::native);
  EXPECT_EQ(syntax_of("main.tf.json"), file_syntax::json);
  EXPECT_EQ(syntax_of("main.tofu.json"), file_syntax::json);
}

TEST(FileNames, OtherHiddenAndEditorFilesAreSkipped) {
  for (const char* name :
       {"main.json", "terraform.tfvars", "a.auto.tfvars.json", "a.tftest.hcl", "a.tofutest.json",
        ".main.tf", "main.tf~", "#main.tf#", "main.tf.bak", "tf"}) {
    EXPECT_EQ(syntax_of(name), file_syntax::none) << name;
  }
}

TEST(FileNames, TofuFileReplacesTfFileOfTheSameName) {
  EXPECT_EQ(module_files({"a.tf", "a.tofu", "b.tf.json", "b.tofu.json"}),
            (names{"a.tofu", "b.tofu.json"}));
  EXPECT_EQ(module_files({"a.tofu", "a.tf.json"}), (names{"a.tf.json", "a.tofu"}));
  EXPECT_EQ(module_files({"a.tofu.json", "a.tf"}), (names{"a.tf", "a.tofu.json"}));
  EXPECT_EQ(module_files({"a.tf", "b.tofu"}), (names{"a.tf", "b.tofu"}));
}

TEST(FileNames, OverridesComeLast) {
  EXPECT_EQ(module_files({"z.tf", "a_override.tf", "override.tofu.json", "override.tf", "b.tf"}),
            (names{"b.tf", "z.tf", "a_override.tf", "override.tf", "override.tofu.json"}));
  EXPECT_TRUE(is_override("override.tf.json"));
  EXPECT_FALSE(is_override("myoverride.tf"));
  EXPECT_EQ(module_files({"override.tf", "override.tofu"}), names{"override.tofu"});
}

}  // namespace
}  // namespace tofud::config
