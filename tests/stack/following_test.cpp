#include "daemon/stack/following.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>

namespace tofud::stack {

void PrintTo(channel by, std::ostream* out) {
  *out << std::array{"none", "json_into", "json", "users_json",
                     "users_file"}[static_cast<std::size_t>(by)];
}

namespace {

using variables = std::map<std::string, std::string>;

struct situation {
  std::vector<std::string> words;
  std::string version = "OpenTofu v1.12.6";
  variables env = {};
  bool terminal = true;
  std::string backend = {};
  bool keeps_text = false;
  bool empty_stdin = false;
  bool own_view = false;
};

following decide(const situation& given) {
  const environment env = [&](const char* name) {
    const auto found = given.env.find(name);
    return found == given.env.end() ? std::nullopt : std::optional{found->second};
  };
  std::vector<std::string> argv = given.words;
  argv.insert(argv.begin(), "tofu");
  surroundings around;
  around.env = env;
  around.stdin_is_terminal = around.shows_on_terminal = given.terminal;
  around.stdin_is_empty = given.empty_stdin;
  around.prints_own_view = given.own_view;
  around.version = [&] { return parse_version(given.version); };
  around.runs_elsewhere = [&] { return given.backend == "remote" || given.backend == "cloud"; };
  around.keeps_text = given.keeps_text;
  return follow(parse_command(argv, env), around);
}

struct row {
  const char* what;
  situation given;
  channel by;
};

void PrintTo(const row& each, std::ostream* out) { *out << each.what; }

class Table : public testing::TestWithParam<row> {};

TEST_P(Table, EveryRowOfTheTableHolds) { EXPECT_EQ(decide(GetParam().given).by, GetParam().by); }

const row table[] = {
    {"a subcommand that does not stream", {{"output", "-json"}}, channel::none},
    {"no subcommand", {{}}, channel::none},
    {"help", {{"apply", "-help"}}, channel::none},
    {"apply", {{"apply"}}, channel::json_into},
    {"plan", {{"plan"}}, channel::json_into},
    {"destroy", {{"destroy"}}, channel::json_into},
    {"refresh", {{"refresh"}}, channel::json_into},
    {"test", {{"test"}}, channel::json_into},
    {"init", {{"init"}}, channel::json_into},
    {"import", {{"import", "a.b", "id"}}, channel::json_into},
    {"the users json", {{"apply", "-json"}}, channel::users_json},
    {"the users json into", {{"apply", "-json-into=f"}}, channel::users_file},
    {"json in the environment",
     {{"apply"}, "OpenTofu v1.12.6", {{"TF_CLI_ARGS", "-json"}}},
     channel::users_json},
    {"json into in the environment",
     {{"apply"}, "OpenTofu v1.12.6", {{"TF_CLI_ARGS_apply", "-json-into=f"}}},
     channel::users_file},
    {"json switched off", {{"apply", "-json=false"}}, channel::json_into},
    {"a value that looks like json", {{"apply", "-var", "a=-json"}}, channel::json_into},
    {"something unknown in the environment",
     {{"plan"}, "OpenTofu v1.12.6", {{"TF_CLI_ARGS_plan", "-nope"}}},
     channel::none},
    {"known words in the environment",
     {{"plan"}, "OpenTofu v1.12.6", {{"TF_CLI_ARGS_plan", "-var a=b -lock=false -no-color"}}},
     channel::json_into},
    {"something of json nobody understands", {{"apply", "-json-lines"}}, channel::none},
    {"no version", {{"apply"}, ""}, channel::none},
    {"1 12 on its way", {{"apply"}, "OpenTofu v1.12.0-beta1"}, channel::none},
    {"1 12 0", {{"apply"}, "OpenTofu v1.12.0"}, channel::json_into},
    {"1 13", {{"apply"}, "OpenTofu v1.13.0-dev"}, channel::json_into},
    {"2 0", {{"apply"}, "OpenTofu v2.0.0"}, channel::json_into},
    {"1 11 apply", {{"apply"}, "OpenTofu v1.11.0"}, channel::none},
    {"1 11 apply without a question",
     {{"apply", "-auto-approve"}, "OpenTofu v1.11.0"},
     channel::json},
    {"1 11 apply of a saved plan", {{"apply", "tfplan"}, "OpenTofu v1.11.0"}, channel::json},
    {"1 11 destroy", {{"destroy"}, "OpenTofu v1.11.0"}, channel::none},
    {"1 11 plan with a person there", {{"plan"}, "OpenTofu v1.11.0"}, channel::none},
    {"1 11 plan with nobody there", {{"plan"}, "OpenTofu v1.11.0", {}, false}, channel::none},
    {"1 11 refresh with a person there", {{"refresh"}, "OpenTofu v1.11.0"}, channel::none},
    {"1 11 refresh with no input",
     {{"refresh", "-input=false"}, "OpenTofu v1.11.0"},
     channel::json},
    {"1 11 refresh with nobody there", {{"refresh"}, "OpenTofu v1.11.0", {}, false}, channel::json},
    {"1 11 refresh with TF INPUT off",
     {{"refresh"}, "OpenTofu v1.11.0", {{"TF_INPUT", "0"}}},
     channel::json},
    {"1 11 apply that keeps its text",
     {{"apply", "-auto-approve"}, "OpenTofu v1.11.0", {}, false, "", true},
     channel::none},
    {"1 12 apply that keeps its text",
     {{"apply", "-auto-approve"}, "OpenTofu v1.12.6", {}, false, "", true},
     channel::json_into},
    {"1 11 test", {{"test"}, "OpenTofu v1.11.0"}, channel::json},
    {"1 11 init", {{"init"}, "OpenTofu v1.11.0"}, channel::none},
    {"1 11 on a remote backend", {{"test"}, "OpenTofu v1.11.0", {}, true, "remote"}, channel::none},
    {"Terraform", {{"apply", "-auto-approve"}, "Terraform v1.9.8"}, channel::json},
    {"Terraform asks", {{"apply"}, "Terraform v1.17.0"}, channel::none},
    {"an old Terraform", {{"apply", "-auto-approve"}, "Terraform v1.0.11"}, channel::none},
};

INSTANTIATE_TEST_SUITE_P(OfFollowing, Table, testing::ValuesIn(table), [](const auto& each) {
  std::string name;
  for (const char c : std::string{each.param.what}) name += c == ' ' ? '_' : c;
  return name;
});

TEST(Following, ARunThatIsNotFollowedHasAReason) {
  EXPECT_EQ(decide({{"fmt"}}).why, "");  // nobody expects one
  EXPECT_EQ(decide({{"apply"}, "OpenTofu v1.8.0"}).why,
            "OpenTofu 1.8.0 can't prompt while it prints its stream; use a saved plan or "
            "-auto-approve, or OpenTofu 1.12 or later");
  EXPECT_EQ(decide({{"apply", "-help"}}).why, "");
  EXPECT_EQ(decide({{"plan"}, "Terraform v1.11.4"}).why,
            "Terraform 1.11.4 prints either the plan or its stream; for both, run `plan -json "
            "-out=FILE | tofud`, then `show FILE`");
}

situation planned_in_a_job(std::vector<std::string> words, std::string version) {
  situation given{std::move(words), std::move(version), {}, false};
  given.words.insert(given.words.begin(), "plan");
  given.empty_stdin = true;
  return given;
}

TEST(Following, APlanInAJobIsFollowedWithAPlanFile) {
  const auto way = decide(planned_in_a_job({}, "Terraform v1.11.4"));
  EXPECT_EQ(way.by, channel::json);
  ASSERT_TRUE(way.plan);
  EXPECT_EQ(way.plan->file, "");
  EXPECT_EQ(way.plan->program, "Terraform");
  EXPECT_TRUE(way.plan->coloured);
  EXPECT_TRUE(way.plan->may_prompt);
  const auto saved = decide(planned_in_a_job(
      {"-out", "p", "-no-color", "-input=false", "-var", "a=b", "-destroy"}, "OpenTofu v1.8.0"));
  ASSERT_TRUE(saved.plan);
  EXPECT_EQ(saved.plan->file, "p");
  EXPECT_EQ(saved.plan->program, "OpenTofu");
  EXPECT_FALSE(saved.plan->coloured);
  EXPECT_FALSE(saved.plan->may_prompt);
}

TEST(Following, APlanWhoseTextIsNotKnownStaysUntouched) {
  for (const char* version : {"Terraform v1.4.7", "Terraform v1.12.0", "OpenTofu v1.5.0"})
    EXPECT_EQ(decide(planned_in_a_job({}, version)).by, channel::none) << version;
  for (const char* word : {"-compact-warnings", "-generate-config-out=f", "-out=", "dir"})
    EXPECT_EQ(decide(planned_in_a_job({word}, "Terraform v1.11.4")).by, channel::none) << word;
}

TEST(Following, APlanThatSomebodyMayAnswerOrSeesStaysUntouched) {
  situation given = planned_in_a_job({}, "Terraform v1.11.4");
  given.empty_stdin = false;
  EXPECT_EQ(decide(given).by, channel::none);
  given.words.push_back("-input=false");
  EXPECT_EQ(decide(given).by, channel::json);
  given.terminal = true;
  EXPECT_EQ(decide(given).by, channel::none);
  given.terminal = false;
  given.own_view = true;
  EXPECT_EQ(decide(given).by, channel::none);
  given.own_view = false;
  given.keeps_text = true;
  EXPECT_EQ(decide(given).by, channel::none);
}

TEST(Following, TextThatTheStreamReplacesIsNamed) {
  EXPECT_EQ(decide({{"apply", "-auto-approve"}, "Terraform v1.11.4"}).missing,
            "what the plan changes is not printed: Terraform 1.11.4 prints either text or its "
            "stream; apply a saved plan, or give --untouched");
  EXPECT_EQ(decide({{"apply", "tfplan"}, "Terraform v1.11.4"}).missing, "");
  EXPECT_EQ(decide({{"apply", "-auto-approve"}}).missing, "");
}

TEST(Following, APromptNeedsATerminal) {
  EXPECT_TRUE(decide({{"apply"}}).may_ask);
  EXPECT_TRUE(decide({{"destroy"}}).may_ask);
  EXPECT_FALSE(decide({{"apply", "-auto-approve"}}).may_ask);
  EXPECT_FALSE(decide({{"apply", "tfplan"}}).may_ask);
  EXPECT_FALSE(decide({{"apply", "-input=false"}}).may_ask);
  EXPECT_FALSE(decide({{"apply"}, "OpenTofu v1.12.6", {{"TF_INPUT", "false"}}}).may_ask);
  EXPECT_FALSE(decide({{"plan"}}).may_ask);
}

TEST(Following, DoesNotAskForTheVersionWhereItDoesNotMatter) {
  const environment env = [](const char*) { return std::nullopt; };
  surroundings around;
  around.env = env;
  around.stdin_is_terminal = true;
  around.version = []() -> std::optional<tofu_version> { throw std::runtime_error{"asked"}; };
  around.runs_elsewhere = [] { return false; };
  EXPECT_NO_THROW(follow(parse_command({"tofu", "fmt"}, env), around));
  EXPECT_NO_THROW(follow(parse_command({"tofu", "apply", "-json"}, env), around));
}

TEST(WithFlags, PutsThemRightBehindTheSubcommand) {
  const auto command = parse_command({"tofu", "-chdir=x", "apply", "-auto-approve"},
                                     [](const char*) { return std::nullopt; });
  EXPECT_EQ(with_flags(command, {"-json"}),
            (std::vector<std::string>{"tofu", "-chdir=x", "apply", "-json", "-auto-approve"}));
}

}  // namespace
}  // namespace tofud::stack
