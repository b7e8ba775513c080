#include "protocol/config/native_file.hpp"

#include "protocol/config/limits.hpp"
#include "tests/protocol/config/described.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

file_blocks read(std::string_view text) { return read_native_file("main.tf", text); }

// The only block of a text that has no problem.
block only(std::string_view text) {
  const file_blocks found = read(text);
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(found.blocks.size(), 1U);
  return found.blocks.empty() ? block{} : found.blocks.front();
}

TEST(NativeFile, GivesThePlacesOfBlocks) {
  const file_blocks found = read(R"(
variable "size" {}
  resource "aws_vpc" "main" {
    cidr = "10.0.0.0/8"
  }
data aws_ami latest { owner = "me" }
ephemeral "random_password" "db" {
}
module "net" {
  source = "./net"
}
locals {
  a = 1
  b = 2
}
output "id" { value = 1 }
provider "aws" {}
terraform { required_version = "1" }
)");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks),
            (lines{"2:1 var.size", "3:3 aws_vpc.main", "6:1 data.aws_ami.latest",
                   "7:1 ephemeral.random_password.db", "9:1 module.net", "13:3 local.a",
                   "14:3 local.b", "16:1 output.id", "17:1 provider.aws"}));
  EXPECT_EQ(found.blocks[4].source, "./net");
}

TEST(NativeFile, HasDataSourcesInChecks) {
  const auto found = read("check \"up\" {\n  data \"http\" \"page\" {\n  }\n  assert {\n  }\n}\n");
  EXPECT_EQ(described(found.blocks), lines{"2:3 data.http.page"});
}

TEST(NativeFile, CommentsDeclareNothing) {
  const auto found = read(R"(# resource "a" "b" {
// resource "a" "b" {
/* resource "a" "b" {
   /* */ resource "a" "c" {} # }
resource "a" "d" { /* } */ }
)");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks), (lines{"4:10 a.c", "5:1 a.d"}));
}

TEST(NativeFile, TextsAndTemplatesMayHoldBracesAndQuotes) {
  const auto found = read(R"(resource "a" "b" {
  x = "}\" } # no comment ${"inner } ${upper("}")}"} %{ if true }}%{ endif } $${ %%{ $$${"
  y = { "}" = "{", z = [ "]" ] }
}
resource "a" "c" {}
)");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks), (lines{"1:1 a.b", "5:1 a.c"}));
}

TEST(NativeFile, HeredocsEndAtTheirMarkerAlone) {
  const auto found = read(R"(resource "a" "b" {
  x = <<EOT
} " ${ <<INNER
}
INNER
} EOTx
EOT.
 x EOT
resource "no" "block" {
  EOT  
  y = [<<-E
    $${ %%{ "
    E
  , 1]
}
resource "a" "c" {}
)");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks), (lines{"1:1 a.b", "16:1 a.c"}));
}

TEST(NativeFile, ExpressionsGoOnInBrackets) {
  const auto found = read(R"(resource "a" "b" {
  x = (
    true
    ? 1 : 2
  )
  y = [for k, v in { a = 1
  } : v
    if v >= 0 && v != 2]
  z = f(
    1...
  )
}
resource "a" "c" {}
)");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks), (lines{"1:1 a.b", "13:1 a.c"}));
}

TEST(NativeFile, MayHaveAByteOrderMarkAndTheLineEndsOfWindows) {
  const auto found = read(
      "\xef\xbb\xbfresource \"a\" \"b\" {\r\n x = <<E\r\n}\r\nE\r\n}\r\n/* \xc3\xa4 */ data \"a\" "
      "\"c\" {}");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(described(found.blocks), (lines{"1:1 a.b", "6:9 data.a.c"}));
}

TEST(NativeFile, HasProvisionersInTheOrderOfTheText) {
  const block found = only(R"(resource "a" "b" {
  provisioner "local-exec" {
    command = "provisioner \"x\" {"
  }
  connection { host = self.ip }
  provisioner "remote-exec" {
    when       = destroy
    on_failure = continue
    inline     = [data.x.y.z]
    connection {
      host = a.gate.ip
    }
  }
  provisioner "file" {
    when       = "destroy"
    on_failure = fail
  }
}
)");
  EXPECT_EQ(described(found.provisioners),
            (lines{"local-exec (2:3)", "remote-exec when destroyed or go on (6:3)",
                   "file when destroyed (14:3)"}));
  EXPECT_EQ(described(found.references),
            (lines{"provisioner -> data.x.y", "provisioner -> a.gate"}));
}

TEST(NativeFile, ReadsCreateBeforeDestroy) {
  const auto said = [](std::string_view value) {
    return only("resource \"a\" \"b\" {\n lifecycle {\n create_before_destroy = " +
                std::string{value} + "\n }\n}")
        .create_before_destroy;
  };
  EXPECT_EQ(said("true"), true);
  EXPECT_EQ(said("\"false\""), false);
  EXPECT_EQ(said("var.x"), std::nullopt);
  EXPECT_EQ(only("resource \"a\" \"b\" {}").create_before_destroy, std::nullopt);
}

TEST(NativeFile, ReadsTheReferencesOfABlock) {
  const block found = only(R"(resource "a" "b" {
  provider   = aws.west
  count      = var.on ? 1 : 0
  name       = "${local.prefix}-${a.other[count.index].id}-${a.other[0].name}"
  depends_on = [module.net, data.x.y, "a.old"]
  set {
    deep {
      v = module.net.ids[each.key]
    }
  }
  dynamic "rule" {
    for_each = var.rules
    content {
      port = rule.value.port
      from = a.source.id
    }
  }
  lifecycle {
    ignore_changes       = [tags.x, tags["y"]]
    replace_triggered_by = [a.trigger]
    precondition {
      condition = a.checked.ok
    }
  }
}
)");
  EXPECT_EQ(described(found.references),
            (lines{"count -> var.on", "name -> local.prefix", "name -> a.other",
                   "name -> a.other[0]", "depends_on -> module.net", "depends_on -> data.x.y",
                   "depends_on -> a.old", "set -> module.net.ids", "rule -> var.rules",
                   "rule -> a.source", "lifecycle.replace_triggered_by -> a.trigger",
                   "lifecycle.precondition -> a.checked"}));
}

TEST(NativeFile, ReadsWhichProviderIsMeant) {
  EXPECT_EQ(only("resource \"a\" \"b\" {\n  provider = aws.west\n}").provider, "aws.west");
  EXPECT_EQ(only("resource \"a\" \"b\" {\n  provider = \"aws\"\n}").provider, "aws");
  EXPECT_EQ(only("resource \"a\" \"b\" {\n  provider = aws.by_region[each.key]\n}").provider, "");
  const block named = only("provider \"aws\" {\n  alias = \"west\"\n  region = a.b.region\n}");
  EXPECT_EQ(named.address, "provider.aws.west");
  EXPECT_EQ(described(named.references), lines{"region -> a.b"});
  const block call = only(
      "module \"m\" {\n  source = \"./m\"\n  providers = {\n    aws = aws.west\n"
      "    \"aws.x\" = aws.y, bad = 7\n  }\n}");
  EXPECT_EQ(call.providers,
            (std::vector<passed_provider>{{"aws", "aws.west"}, {"aws.x", "aws.y"}}));
}

TEST(NativeFile, BlocksBeforeAnErrorStay) {
  const auto broken = [](std::string_view text) {
    const file_blocks found = read("resource \"a\" \"b\" {\n}\n" + std::string{text});
    EXPECT_GE(found.blocks.size(), 1U);
    EXPECT_EQ(found.problems.size(), 1U) << text;
    return found.problems.empty() ? "" : described(found.problems)[0];
  };
  EXPECT_EQ(broken("x = \"y\n"),
            "main.tf:3:7: a string is not closed in its line; close it with \"");
  EXPECT_EQ(broken("x = <<E\ny\n"),
            "main.tf:5:1: a heredoc is not closed; put its marker alone on a line");
  EXPECT_EQ(broken(" /* x"),
            "main.tf:3:2: the comment that begins here is not closed; close it with */");
  EXPECT_EQ(broken("x = [\n"),
            "main.tf:4:1: the file ends inside an expression; close its brackets");
  EXPECT_EQ(broken("x = ]"), "main.tf:3:5: this closes nothing");
  EXPECT_EQ(broken("x = \n"), "main.tf:3:5: an expression is expected after =");
  EXPECT_EQ(broken("x {"), "main.tf:3:4: the file ends inside a block; close it with }");
  EXPECT_EQ(broken("}"), "main.tf:3:1: an argument or a block is expected here");
  EXPECT_EQ(broken("x 1"), "main.tf:3:3: a block's labels or its { are expected here");
  EXPECT_EQ(broken("x \"${1}\" {}"),
            "main.tf:3:4: a label must be a string in quotes without templates");
  EXPECT_EQ(broken("x = 'y'"), "main.tf:3:5: this character has no meaning here");
  EXPECT_EQ(broken("x = << y"), "main.tf:3:5: a heredoc begins with a marker alone, such as <<EOT");
  EXPECT_EQ(broken("x = \"${y"), "main.tf:3:9: the file ends inside a template; close it with }");
  EXPECT_EQ(broken("resource \"a\" \"b c\" {}"),
            "main.tf:3:15: \"b c\" is not a name; the block is ignored");
  EXPECT_EQ(broken("resource \"\" \"b\" {}"),
            "main.tf:3:11: \"\" is not a name; the block is ignored");
  EXPECT_EQ(broken("resource \"a\" {}"),
            "main.tf:3:1: a resource block has 2 labels; it is ignored");
}

TEST(NativeFile, KeepsTheBlockThatHasTheError) {
  const auto found = read("resource \"a\" \"b\" {\n  x = a.c.id\n  y = ]\n}\n");
  EXPECT_EQ(described(found.blocks), lines{"1:1 a.b"});
  EXPECT_EQ(described(found.blocks[0].references), lines{"x -> a.c"});
}

TEST(NativeFile, NestedTooDeepIsAProblem) {
  std::string blocks, templates = "x = ";
  for (std::size_t i = 0; i <= limits::module_nesting; ++i) blocks += "b {\n";
  for (std::size_t i = 0; i <= limits::module_nesting; ++i) templates += "\"${";
  const auto first = [](const file_blocks& found) {
    return found.problems.empty() ? "" : found.problems[0].what;
  };
  EXPECT_EQ(first(read(blocks)), "blocks are nested too deep here");
  EXPECT_EQ(first(read(templates)), "templates are nested too deep here");
}

}  // namespace
}  // namespace tofud::config
