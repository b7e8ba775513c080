#include "daemon/oidc/claims.hpp"

#include "daemon/oidc/errors.hpp"

#include <gtest/gtest.h>

namespace tofud::oidc {
namespace {

claims read(std::string_view json) {
  auto got = read_claims(json);
  EXPECT_TRUE(got) << got.error().text();
  return got ? *got : claims{};
}

TEST(Claims, AreTextsWhateverTheyWere) {
  const auto all =
      read(R"({"sub":"a","id":74,"yes":true,"no":false,"none":null,"groups":["x","y"]})");
  EXPECT_EQ(one(all, "sub"), "a");
  EXPECT_EQ(one(all, "id"), "74");
  EXPECT_EQ(one(all, "yes"), "true");
  EXPECT_EQ(one(all, "no"), "false");
  EXPECT_EQ(one(all, "none"), std::nullopt);
  EXPECT_EQ(one(all, "groups"), std::nullopt);
  EXPECT_TRUE(has(all, "groups", "x"));
  EXPECT_TRUE(has(all, "groups", "y"));
  EXPECT_FALSE(has(all, "groups", "z"));
}

TEST(Claims, WithinAnObjectHaveTheNamesOfBoth) {
  const auto all =
      read(R"({"kubernetes.io":{"namespace":"ci","pod":{"name":"p"}},"list":[{"x":"1"}]})");
  EXPECT_EQ(one(all, "kubernetes.io.namespace"), "ci");
  EXPECT_EQ(one(all, "kubernetes.io.pod.name"), "p");
  EXPECT_FALSE(all.contains("list.x"));
}

TEST(Claims, ThatNoPatternIsToSeeCountAsNotThere) {
  const auto all = read("{\"a\":\"x\\ny\",\"b\":\"\",\"c\":\"" + std::string(2000, 'x') +
                        "\",\"d\":[\"good\",\"\\u0000\"]}");
  EXPECT_FALSE(all.contains("a"));
  EXPECT_FALSE(all.contains("b"));
  EXPECT_FALSE(all.contains("c"));
  EXPECT_EQ(one(all, "d"), "good");
}

TEST(Claims, ThatAreThereTwiceAreRefusedAtAnyDepth) {
  for (const char* text : {R"({"a":1,"a":2})", R"({"x":{"a":1,"a":2}})", R"({"x":[{"a":1,"a":2}]})",
                           R"({"a.b":1,"a":{"b":2}})"}) {
    const auto got = read_claims(text);
    ASSERT_FALSE(got) << text;
    EXPECT_TRUE(got.error().is(error::claim_twice)) << got.error().text();
  }
}

TEST(Claims, AreAnObjectWithSoManyValues) {
  for (const char* text : {"", "1", "[]", "{", "{\"a\":1} x"})
    EXPECT_TRUE(read_claims(text).error().is(error::bad_claims)) << text;
  std::string many = "{\"a\":[0";
  for (int i = 0; i < 1500; ++i) many += ",1";
  EXPECT_TRUE(read_claims(many + "]}").error().is(error::too_many_claims));
  EXPECT_FALSE(read_claims(std::string(500, '[')).has_value());
}

}  // namespace
}  // namespace tofud::oidc
