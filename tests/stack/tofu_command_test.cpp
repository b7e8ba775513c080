#include "daemon/stack/tofu_command.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tofud::stack {
namespace {

using variables = std::map<std::string, std::string>;

tofu_command command(std::vector<std::string> words, const variables& env = {}) {
  words.insert(words.begin(), "tofu");
  return parse_command(std::move(words), [&](const char* name) {
    const auto found = env.find(name);
    return found == env.end() ? std::nullopt : std::optional{found->second};
  });
}

TEST(TofuCommand, ItsSubcommandIsTheFirstWordThatIsNoFlag) {
  EXPECT_EQ(command({"apply"}).subcommand(), "apply");
  EXPECT_EQ(command({"-chdir=live/net", "plan", "-out=x"}).subcommand(), "plan");
  EXPECT_EQ(command({}).subcommand(), "");
  EXPECT_EQ(command({"-help"}).subcommand(), "");
}

TEST(TofuCommand, TheLastChdirCounts) {
  EXPECT_EQ(command({"-chdir=a", "-chdir=b", "plan"}).chdir, "b");
  EXPECT_EQ(command({"--chdir=a", "plan"}).chdir, "a");
  EXPECT_EQ(command({"plan", "-chdir=a"}).chdir, "");  // behind the subcommand it is no global one
}

TEST(TofuCommand, FlagsAreFoundInEveryForm) {
  EXPECT_EQ(command({"apply", "-json-into=f"}).flag("json-into")->value, "f");
  EXPECT_EQ(command({"apply", "--json-into=f"}).flag("json-into")->value, "f");
  EXPECT_EQ(command({"apply", "-json-into", "f"}).flag("json-into")->value, "f");
  EXPECT_EQ(command({"apply", "-json-into=f", "-json-into=g"}).flag("json-into")->value, "g");
  EXPECT_FALSE(command({"apply", "-json"}).flag("json-into"));
}

TEST(TofuCommand, AFlagMayBeSwitchedOff) {
  EXPECT_TRUE(command({"apply", "-json"}).has("json"));
  EXPECT_TRUE(command({"apply", "-json=true"}).has("json"));
  EXPECT_FALSE(command({"apply", "-json=false"}).has("json"));
  EXPECT_FALSE(command({"apply"}).has("json"));
}

TEST(TofuCommand, TheValueOfAFlagIsNoFlag) {
  EXPECT_FALSE(command({"apply", "-var", "-json"}).has("json"));
  EXPECT_TRUE(command({"apply", "-var", "a=b", "-json"}).has("json"));
}

TEST(TofuCommand, TheEnvironmentAddsFlags) {
  EXPECT_TRUE(command({"apply"}, {{"TF_CLI_ARGS_apply", "-no-color -json"}}).has("json"));
  EXPECT_TRUE(command({"apply"}, {{"TF_CLI_ARGS", "-json"}}).has("json"));
  EXPECT_FALSE(command({"apply"}, {{"TF_CLI_ARGS_plan", "-json"}}).has("json"));
  EXPECT_EQ(command({"apply"}, {{"TF_CLI_ARGS", R"(-json-into="a b" -var 'x=y z')"}})
                .flag("json-into")
                ->value,
            "a b");
}

TEST(TofuCommand, TheCommandLineWinsOverTheEnvironment) {
  EXPECT_EQ(command({"apply", "-json-into=typed"}, {{"TF_CLI_ARGS", "-json-into=added"}})
                .flag("json-into")
                ->value,
            "typed");
}

TEST(TofuCommand, ASavedPlanIsTheFirstArgumentOfApply) {
  EXPECT_EQ(command({"apply", "tfplan"}).plan_file(), "tfplan");
  EXPECT_EQ(command({"apply", "-lock-timeout", "5m", "-parallelism=4", "tfplan"}).plan_file(),
            "tfplan");
  EXPECT_EQ(command({"apply", "-var", "a=b"}).plan_file(), "");
  EXPECT_EQ(command({"plan", "tfplan"}).plan_file(), "");
}

TEST(TofuCommand, HelpAndVersionRunNothing) {
  EXPECT_TRUE(command({"apply", "-help"}).only_tells());
  EXPECT_TRUE(command({"-version"}).only_tells());
  EXPECT_TRUE(command({"apply"}, {{"TF_CLI_ARGS_apply", "-h"}}).only_tells());
  EXPECT_FALSE(command({"apply"}).only_tells());
}

}  // namespace
}  // namespace tofud::stack
