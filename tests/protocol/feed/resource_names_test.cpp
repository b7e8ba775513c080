#include "protocol/feed/resource_names.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::feed {
namespace {

TEST(ResourceNames, OfAnAddressAreFoundInIt) {
  const struct {
    std::string_view addr;
    address_parts of;
  } all[] = {
      {"t.n", {"", "managed", "t", "n", "null", "t"}},
      {"aws_subnet.a[12]", {"", "managed", "aws_subnet", "a", "12", "aws"}},
      {"module.m[\"k\"].data.aws_ami.a[\"x.y\"]",
       {"module.m[\"k\"]", "data", "aws_ami", "a", "\"x.y\"", "aws"}},
      {"ephemeral.random_password.p", {"", "ephemeral", "random_password", "p", "null", "random"}},
  };
  for (const auto& each : all) {
    const auto names = resource_names::within(each.addr, each.of);
    ASSERT_TRUE(names) << each.addr;
    EXPECT_FALSE(names->is_apart());
    EXPECT_EQ(names->parts(each.addr), each.of) << each.addr;
  }
}

TEST(ResourceNames, ThatAreNotInTheAddressAreKeptApart) {
  const std::string long_name(70'000, 'n');
  const std::string long_addr = "t." + long_name;
  const struct {
    std::string_view addr;
    address_parts of;
  } all[] = {
      {"t.n", {"module.m", "managed", "t", "n", "null", "t"}},
      {"t.n", {"", "managed", "t", "other", "null", "t"}},
      {"t.n", {"", "managed", "t", "n", "7", "t"}},
      {"t.n[0]", {"", "managed", "t", "n", "null", "t"}},
      {"t.n[\"a\\\"b\"]", {"", "managed", "t", "n", "\"a\\u0022b\"", "t"}},
      {"t.n", {"", "managed", "t", "n", "null", "another"}},
      {"t.n", {"", "list", "t", "n", "null", "t"}},
      {"", {"", "managed", "t", "n", "null", "t"}},
      {"odd[0]", {}},
      {long_addr, {"", "managed", "t", long_name, "null", "t"}},
  };
  for (const auto& each : all) {
    EXPECT_FALSE(resource_names::within(each.addr, each.of)) << each.addr.substr(0, 20);
    const resource_names names = resource_names::of(each.addr, each.of);
    EXPECT_TRUE(names.is_apart());
    EXPECT_EQ(names.parts(each.addr), each.of) << each.addr.substr(0, 20);
  }
}

}  // namespace
}  // namespace tofud::feed
