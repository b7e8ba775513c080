#include "protocol/config/configuration.hpp"

#include "protocol/config/limits.hpp"
#include "tests/protocol/config/described.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

// Directories in memory: their files by name.
using tree = std::map<std::string, std::map<std::string, std::string>>;

configuration read(const tree& directories, std::string_view manifest = R"({"Modules":[]})") {
  return read_configuration(read_manifest("modules.json", manifest),
                            [&](const std::string& directory) {
                              source_directory found;
                              const auto at = directories.find(directory);
                              if (at == directories.end()) {
                                found.problems.push_back({{directory, {}}, "is not there"});
                                return found;
                              }
                              for (const auto& [name, text] : at->second) {
                                found.files.push_back({name, text});
                              }
                              return found;
                            });
}

std::string place_of(const configuration& in, std::string_view address) {
  const block* const found = in.find(address);
  return found == nullptr ? "nowhere" : to_string(found->at);
}

TEST(Configuration, FindsTheBlockOfAnInstance) {
  const auto found =
      read({{".", {{"main.tf", "resource \"a\" \"b\" {}\nmodule \"m\" {\n source = \"./m\"\n}"}}},
            {"m", {{"x.tofu", "\ndata \"a\" \"b\" {}\nmodule \"n\" {\n source = \"../n\"\n}"}}},
            {"n", {{"y.tf.json", R"({"resource":{"a":{"b":{}}}})"}}}});
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(place_of(found, "a.b"), "main.tf:1:1");
  EXPECT_EQ(place_of(found, R"(a.b["x.y]"])"), "main.tf:1:1");
  EXPECT_EQ(place_of(found, "module.m[0].data.a.b[1]"), "m/x.tofu:2:1");
  EXPECT_EQ(place_of(found, R"(module.m["a.b"].module.n.a.b)"), "n/y.tf.json:1:19");
  EXPECT_EQ(place_of(found, "module.m[0]"), "main.tf:2:1");
  EXPECT_EQ(place_of(found, "module.m.module.n[0]"), "m/x.tofu:3:1");
}

TEST(Configuration, FindsNothingForWhatItDoesNotDeclare) {
  const auto found = read({{".", {{"main.tf", "resource \"a\" \"b\" {}"}}}});
  for (const char* address : {"a.c", "module.m.a.b", "data.a.b", "", "a", "a.b[", "module.", "."}) {
    EXPECT_EQ(place_of(found, address), "nowhere") << address;
  }
}

TEST(Configuration, ModulesLieWhereTheManifestSays) {
  const auto found =
      read({{".", {{"main.tf", "module \"m\" {\n source = \"registry/m/aws\"\n}"}}},
            {".terraform/modules/m", {{"main.tf", "module \"n\" {\n source = \"./sub\"\n}"}}},
            {".terraform/modules/m/sub", {{"main.tf", "resource \"a\" \"b\" {}"}}}},
           R"({"Modules":[{"Key":"","Source":"","Dir":"."},
                          {"Key":"m","Source":"registry.opentofu.org/m","Dir":".terraform/modules/m"},
                          {"Key":"m.n","Source":"./sub","Dir":".terraform/modules/m/sub"}]})");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(place_of(found, "module.m.module.n.a.b"), ".terraform/modules/m/sub/main.tf:1:1");
}

TEST(Configuration, ModulesThatWereNotFetchedAreAProblem) {
  const auto found =
      read({{".", {{"main.tf", "module \"m\" {\n source = \"registry/m/aws\"\n}"}}}});
  EXPECT_EQ(described(found.problems),
            lines{"main.tf:1:1: module.m: its files are missing; run tofu init"});
}

TEST(Configuration, ManifestsMayBeBroken) {
  const tree root{{".", {{"main.tf", ""}}}};
  EXPECT_EQ(described(read(root, R"({"Modules":[{"Key":"a"}]})").problems),
            lines{"modules.json:1:13: a module has a Key and a Dir; run tofu init again"});
  EXPECT_EQ(described(read(root, "{").problems),
            lines{"modules.json:1:2: invalid JSON; everything before it was read"});
}

TEST(Configuration, AModuleThatCallsItselfEnds) {
  const auto found = read({{".", {{"main.tf", "module \"m\" {\n source = \"./.\"\n}"}}}});
  EXPECT_EQ(found.modules.size(), limits::module_depth + 1);
  EXPECT_EQ(described(found.problems),
            lines{"main.tf:1:1: module.m: modules call each other too deep here"});
}

TEST(Configuration, TheNumberOfModulesIsBounded) {
  std::string calls;
  for (const char* name : {"a", "b", "c", "d"}) {
    calls += "module \"" + std::string{name} + "\" {\n source = \"./.\"\n}\n";
  }
  const auto found = read({{".", {{"main.tf", calls}}}});
  EXPECT_EQ(found.modules.size(), limits::module_calls + 1);
  EXPECT_EQ(found.problems.size(), limits::module_problems);
  EXPECT_GT(found.problems_left_out, 0U);
}

TEST(Configuration, ABrokenFileLosesOnlyItself) {
  const auto found = read({{".",
                            {{"a.tf", "resource \"a\" \"a\" {\n"},
                             {"b.tf", "= \nresource \"a\" \"lost\" {}"},
                             {"c.tf.json", "{"},
                             {"d.tf", "resource \"a\" \"d\" {}"}}}});
  EXPECT_EQ(place_of(found, "a.a"), "a.tf:1:1");
  EXPECT_EQ(place_of(found, "a.lost"), "nowhere");
  EXPECT_EQ(place_of(found, "a.d"), "d.tf:1:1");
  EXPECT_EQ(described(found.problems),
            (lines{"a.tf:2:1: the file ends inside a block; close it with }",
                   "b.tf:1:1: an argument or a block is expected here",
                   "c.tf.json:1:2: invalid JSON; everything before it was read"}));
}

TEST(Configuration, FirstOfTwoDeclarationsWins) {
  const auto found =
      read({{".", {{"a.tf", "resource \"a\" \"b\" {}"}, {"b.tf", "\nresource \"a\" \"b\" {}"}}}});
  EXPECT_EQ(place_of(found, "a.b"), "a.tf:1:1");
  EXPECT_EQ(described(found.problems),
            lines{"b.tf:2:1: a.b is declared in a.tf:1:1 already; this one is ignored"});
}

TEST(Configuration, OverridesReplaceWhatTheySayAndKeepThePlace) {
  const auto found = read({{".",
                            {{"main.tf", R"(resource "a" "b" {
  x = a.x.id
  y = a.y.id
  provisioner "p" {
    command = a.p.id
  }
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [a.t]
  }
}
module "m" {
  source = "./m"
})"},
                             {"override.tf.json", R"({"resource":{"a":{"b":{"x":"${a.z.id}",
                                 "provisioner":[{"q":{}},{"r":{}}],
                                 "lifecycle":{"create_before_destroy":false}}}},
                                 "module":{"m":{"source":"./n"}}})"}}},
                           {"n", {{"main.tf", ""}}}});
  EXPECT_EQ(described(found.problems), lines{});
  const block* const merged = found.find("a.b");
  ASSERT_NE(merged, nullptr);
  EXPECT_EQ(to_string(merged->at), "main.tf:1:1");
  EXPECT_EQ(described(merged->references),
            (lines{"y -> a.y", "lifecycle.replace_triggered_by -> a.t", "x -> a.z"}));
  ASSERT_EQ(merged->provisioners.size(), 2U);
  EXPECT_EQ(merged->provisioners[0].type, "q");
  EXPECT_EQ(merged->create_before_destroy, false);
  EXPECT_TRUE(found.modules.contains("module.m"));
}

TEST(Configuration, AnOverrideOfNothingIsAProblem) {
  const auto found = read({{".", {{"x_override.tf", "resource \"a\" \"b\" {}"}}}});
  EXPECT_EQ(
      described(found.problems),
      lines{"x_override.tf:1:1: a.b is declared in no other file that this one could override"});
}

TEST(Configuration, CallsOfOneDirectoryShareIt) {
  std::string asked;
  const auto found = read_configuration({}, [&](const std::string& directory) {
    asked += directory + ' ';
    source_directory files;
    if (directory == ".") {
      files.files.push_back(
          {"main.tf",
           "module \"a\" {\n source = \"./m\"\n}\nmodule \"b\" {\n source = \"./x/../m/\"\n}"});
    }
    return files;
  });
  EXPECT_EQ(asked, ". m ");
  EXPECT_EQ(found.modules.find("module.a")->second, found.modules.find("module.b")->second);
}

}  // namespace
}  // namespace tofud::config
