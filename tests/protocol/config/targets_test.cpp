#include "protocol/config/targets.hpp"

#include "tests/protocol/config/described.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

lines targets(std::string_view text, lexed_as kind = lexed_as::body) {
  lines found;
  find_targets(text, kind, {}, quoted_as::text,
               [&](std::string_view target) { found.emplace_back(target); });
  return found;
}

TEST(Targets, AreAddressesWithoutAttributes) {
  EXPECT_EQ(targets("a.b"), lines{"a.b"});
  EXPECT_EQ(targets("a.b.c.d"), lines{"a.b"});
  EXPECT_EQ(targets("resource.a.b.c"), lines{"a.b"});
  EXPECT_EQ(targets("data.a.b.c"), lines{"data.a.b"});
  EXPECT_EQ(targets("ephemeral.a.b.c"), lines{"ephemeral.a.b"});
  EXPECT_EQ(targets("var.a.b"), lines{"var.a"});
  EXPECT_EQ(targets("a.b[0].c + a.d[*].e + a.f.*.g + a.h.0.i"),
            (lines{"a.b[0]", "a.d", "a.f", "a.h[0]"}));
}

TEST(Targets, HaveTheLiteralKeyOfAResource) {
  EXPECT_EQ(targets("a.b[\"k\"].c"), lines{"a.b[\"k\"]"});
  EXPECT_EQ(targets("a.b[\"k.l\"]"), lines{"a.b[\"k.l\"]"});
  EXPECT_EQ(targets("data.a.b[1].c"), lines{"data.a.b[1]"});
  EXPECT_EQ(targets("resource.a.b[1]"), lines{"a.b[1]"});
  EXPECT_EQ(targets("a.b[ 0 ]"), lines{"a.b[0]"});
}

TEST(Targets, HaveNoOtherKey) {
  EXPECT_EQ(targets("a.b[count.index].c"), lines{"a.b"});
  EXPECT_EQ(targets("a.b[var.x]"), (lines{"var.x", "a.b"}));
  EXPECT_EQ(targets("a.b[\"${each.key}\"]"), lines{"a.b"});
  EXPECT_EQ(targets("a.b.list[0]"), lines{"a.b"});
  EXPECT_EQ(targets("a.b[*].list[0]"), lines{"a.b"});
  EXPECT_EQ(targets("var.x[0] + local.y[\"k\"]"), (lines{"var.x", "local.y"}));
  EXPECT_EQ(targets("a.b[0 + 1]"), lines{"a.b"});
}

TEST(Targets, ModuleTargetsAreItsOutputs) {
  EXPECT_EQ(targets("module.m"), lines{"module.m"});
  EXPECT_EQ(targets("module.m.out.x"), lines{"module.m.out"});
  EXPECT_EQ(targets("module.m[0].out"), lines{"module.m.out"});
  EXPECT_EQ(targets("module.m[\"k\"]"), lines{"module.m"});
  EXPECT_EQ(targets("module.m[a.b.c].out"), (lines{"a.b", "module.m.out"}));
}

TEST(Targets, AreNotWhatMeansTheBlockItself) {
  EXPECT_EQ(targets("self.id + count.index + each.value.x + path.module + terraform.workspace"),
            lines{});
  EXPECT_EQ(targets("a + true + 1.5e3"), lines{});
}

TEST(Targets, AreNotNamesOfFunctionsAndAttributesOfResults) {
  EXPECT_EQ(targets("max(a.b, f(a.c).d.e) + provider::x::f(a.g)"), (lines{"a.b", "a.c", "a.g"}));
}

TEST(Targets, AreNotNamesThatForBrings) {
  EXPECT_EQ(targets("[for x in a.b : x.id if x.on.y]"), lines{"a.b"});
  EXPECT_EQ(targets("{ for k, v in a.b : k.x => v.y... }"), lines{"a.b"});
  EXPECT_EQ(targets("[[for x in a.b : x.c], x.d]"), (lines{"a.b", "x.d"}));
  EXPECT_EQ(targets("%{ for x in a.b }${x.c}%{ endfor }${x.d}", lexed_as::template_text),
            (lines{"a.b", "x.d"}));
  EXPECT_EQ(targets("%{~ for x in a.b ~}${~ x.c ~}%{~ endfor ~}", lexed_as::template_text),
            lines{"a.b"});
}

TEST(Targets, StandInTemplatesAtAnyDepth) {
  EXPECT_EQ(targets(R"("x ${a.b} $${a.c} ${"y ${a.d}"} %{ if a.e.f }a.g%{ endif }")"),
            (lines{"a.b", "a.d", "a.e"}));
  EXPECT_EQ(targets("<<E\n${a.b}\na.c\nE"), lines{"a.b"});
}

TEST(Targets, ObjectTargetsAreTheirValues) {
  EXPECT_EQ(targets("{ a = x.b, \"c\" = x.d, (x.e) = x.f\n (x.g) : x.h }"),
            (lines{"x.b", "x.d", "x.e", "x.f", "x.g", "x.h"}));
  EXPECT_EQ(targets("a.b ? a.c : a.d"), (lines{"a.b", "a.c", "a.d"}));
}

}  // namespace
}  // namespace tofud::config
