#include "protocol/ui/resource_address.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace tofud::ui {

std::ostream& operator<<(std::ostream& out, const address_parts& parts) {
  return out << '(' << parts.module << " | " << parts.resource << " | " << parts.mode << " | "
             << parts.type << " | " << parts.name << ')';
}

bool operator==(const address_parts& a, const address_parts& b) {
  return a.module == b.module && a.resource == b.resource && a.mode == b.mode && a.type == b.type &&
         a.name == b.name;
}

namespace {

address_parts parts(std::string_view module, std::string_view resource, std::string_view mode,
                    std::string_view type, std::string_view name) {
  return {module, resource, mode, type, name};
}

TEST(ResourceAddress, RootModuleAddressHasTypeAndName) {
  EXPECT_EQ(parse_address("aws_vpc.main"), parts("", "aws_vpc.main", "managed", "aws_vpc", "main"));
}

TEST(ResourceAddress, MayHaveANumberOrATextAsKey) {
  EXPECT_EQ(parse_address("aws_vpc.main[0]"),
            parts("", "aws_vpc.main[0]", "managed", "aws_vpc", "main"));
  EXPECT_EQ(parse_address(R"(aws_vpc.main["x"])"),
            parts("", R"(aws_vpc.main["x"])", "managed", "aws_vpc", "main"));
}

TEST(ResourceAddress, KeysMayHoldDotsAndBrackets) {
  EXPECT_EQ(parse_address(R"(a_b.c["x.y]z["])"),
            parts("", R"(a_b.c["x.y]z["])", "managed", "a_b", "c"));
  EXPECT_EQ(parse_address(R"(module.m["a.b]"].t.n["module.x"])"),
            parts(R"(module.m["a.b]"])", R"(t.n["module.x"])", "managed", "t", "n"));
}

TEST(ResourceAddress, KeysMayHoldEscapedQuotesAndBackslashes) {
  EXPECT_EQ(parse_address(R"(t.n["say \"]\""])"),
            parts("", R"(t.n["say \"]\""])", "managed", "t", "n"));
  EXPECT_EQ(parse_address(R"(t.n["C:\\"])"), parts("", R"(t.n["C:\\"])", "managed", "t", "n"));
  EXPECT_EQ(parse_address(R"(t.n["\\\""])"), parts("", R"(t.n["\\\""])", "managed", "t", "n"));
  EXPECT_EQ(parse_address(R"(t.n["$${x} %%{y} \n\u00e9"])"),
            parts("", R"(t.n["$${x} %%{y} \n\u00e9"])", "managed", "t", "n"));
  EXPECT_EQ(parse_address("t.n[\"grün 😀\"]"), parts("", "t.n[\"grün 😀\"]", "managed", "t", "n"));
  EXPECT_EQ(parse_address(R"(t.n[""])"), parts("", R"(t.n[""])", "managed", "t", "n"));
}

TEST(ResourceAddress, ModulesNestAndHaveKeys) {
  EXPECT_EQ(parse_address("module.net.aws_subnet.a"),
            parts("module.net", "aws_subnet.a", "managed", "aws_subnet", "a"));
  EXPECT_EQ(parse_address(R"(module.a["k.1"].module.b[0].aws_subnet.a["x"])"),
            parts(R"(module.a["k.1"].module.b[0])", R"(aws_subnet.a["x"])", "managed", "aws_subnet",
                  "a"));
}

TEST(ResourceAddress, DataAndEphemeralResourcesHaveAModeOfTheirOwn) {
  EXPECT_EQ(parse_address("data.external.probe[0]"),
            parts("", "data.external.probe[0]", "data", "external", "probe"));
  EXPECT_EQ(parse_address("module.m.data.external.probe"),
            parts("module.m", "data.external.probe", "data", "external", "probe"));
  EXPECT_EQ(parse_address("ephemeral.random_password.p"),
            parts("", "ephemeral.random_password.p", "ephemeral", "random_password", "p"));
}

TEST(ResourceAddress, AModuleNamedLikeAModeIsAModule) {
  EXPECT_EQ(parse_address("module.data.t.n"), parts("module.data", "t.n", "managed", "t", "n"));
  EXPECT_EQ(parse_address("module.module.data.t.n"),
            parts("module.module", "data.t.n", "data", "t", "n"));
}

TEST(ResourceAddress, NamesMayBeginLikeAMode) {
  EXPECT_EQ(parse_address("data_thing.x"), parts("", "data_thing.x", "managed", "data_thing", "x"));
  EXPECT_EQ(mode_of("database.x"), "managed");
  EXPECT_EQ(mode_of("data.a.b"), "data");
  EXPECT_EQ(mode_of("ephemeral.a.b"), "ephemeral");
  EXPECT_EQ(mode_of(""), "managed");
}

TEST(ResourceAddress, MalformedOnesHaveNoParts) {
  for (const char* const bad : {"",
                                ".",
                                "a",
                                "a.",
                                ".a",
                                "a..b",
                                "a.b.",
                                "a.b.c",
                                "module.m",
                                "module.m.",
                                "module.",
                                "module.m.t",
                                "module..t.n",
                                "module.m[0",
                                "data.x",
                                "data.",
                                "data.x.y.z",
                                "ephemeral.x",
                                "t.n[0",
                                "t.n[\"x\"",
                                "t.n[\"x",
                                "t.n[\"x]",
                                "t.n[\"x\\\"]",
                                "t.n[\"x\\",
                                "t.n[0]x",
                                "t.n[0].x",
                                "t[0].n",
                                "[0].n",
                                "data.t[0].n"}) {
    const auto found = parse_address(bad);
    EXPECT_FALSE(found.has_value()) << bad << " gave " << *found;
  }
}

TEST(ResourceAddress, PartsAreViewsOfTheAddress) {
  const std::string address = "module.a.t.n[0]";
  const auto found = parse_address(address);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->module.data(), address.data());
  EXPECT_EQ(found->resource.data(), address.data() + 9);
}

TEST(ResourceAddress, AddressWithoutKeysIsThatOfTheConfiguration) {
  EXPECT_EQ(without_keys(R"(module.a["x.y"].module.b[0].data.c.d["]"])"),
            "module.a.module.b.data.c.d");
  EXPECT_EQ(without_keys("module.a[0]"), "module.a");
  for (const char* none : {"", ".", "a.", "a.b[", "a.b[0]c", ".a"}) {
    EXPECT_EQ(without_keys(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace tofud::ui
