// An order by blocks: what is drawn of it.
#include "protocol/order/blocks.hpp"

#include "protocol/order/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::order {
namespace {

using names = std::vector<std::string>;

/// "make a.a x2 < a.b, a.c" of each step.
names told(const order& of) {
  const auto steps = by_blocks(of);
  if (!steps) return {"too large"};
  names all;
  for (const block_step& each : *steps) {
    std::string text{each.does};
    text.append(" ").append(each.block).append(" x").append(std::to_string(each.operations));
    std::string_view between = " < ";
    for (const std::uint32_t before : each.before ? *each.before : std::vector<std::uint32_t>{}) {
      text.append(between).append((*steps)[before].block);
      between = ", ";
    }
    all.push_back(text);
  }
  return all;
}

TEST(OrderByBlocks, InstancesOfABlockAreOneStep) {
  order of;
  const vertex first = of.add({"module.m[\"x\"].a.a[0]"});
  const vertex second = of.add({"module.m[\"y\"].a.a[1]"});
  const vertex last = of.add({"a.b"});
  of.connect(first, last, origin::configuration);
  of.connect(second, last, origin::configuration);
  EXPECT_EQ(told(of), (names{"make module.m.a.a x2", "make a.b x1 < module.m.a.a"}));
}

TEST(OrderByBlocks, WhatIsBetweenIsNotSaidTwice) {
  order of;
  const vertex a = of.add({"a.a"}), b = of.add({"a.b"}), c = of.add({"a.c"});
  of.connect(a, b, origin::configuration);
  of.connect(b, c, origin::configuration);
  of.connect(a, c, origin::configuration);
  EXPECT_EQ(told(of), (names{"make a.a x1", "make a.b x1 < a.a", "make a.c x1 < a.b"}));
}

TEST(OrderByBlocks, GroupsArePassedThrough) {
  order of;
  const vertex a = of.add({"a.a"}), group = of.add_hub("module.m"), b = of.add({"a.b"});
  of.connect(a, group, origin::configuration);
  of.connect(group, b, origin::configuration);
  EXPECT_EQ(told(of), (names{"make a.a x1", "make a.b x1 < a.a"}));
}

TEST(OrderByBlocks, RemovingAndMakingAreTwoStepsAndWhatIsLeftOverIsAThird) {
  order of;
  const vertex old = of.add({"a.a", effect::remove, "", "delete"});
  const vertex made = of.add({"a.a"});
  const vertex left = of.add({"a.a", effect::remove, "4a1b", "delete"});
  of.connect(old, made, origin::plan);
  of.connect(made, left, origin::plan);
  EXPECT_EQ(told(of), (names{"remove a.a x1", "make a.a x1 < a.a", "remove_deposed a.a x1 < a.a"}));
}

TEST(OrderByBlocks, InstancesThatWaitForEachOtherAreNoEndlessSearch) {
  order of;
  const vertex a0 = of.add({"a.a[0]"}), a1 = of.add({"a.a[1]"}), b0 = of.add({"a.b[0]"}),
               b1 = of.add({"a.b[1]"});
  of.connect(a0, b0, origin::state);
  of.connect(b1, a1, origin::state);
  EXPECT_EQ(told(of), (names{"make a.a x2", "make a.b x2"}));
}

TEST(OrderByBlocks, MoreEdgesThanAnybodyDrawsAreNotTold) {
  order of;
  std::vector<vertex> firsts;
  const std::size_t side = 400;
  static_assert(side * side > limits::block_edges);
  for (std::size_t i = 0; i < side; ++i) firsts.push_back(of.add({"a.a" + std::to_string(i)}));
  for (std::size_t i = 0; i < side; ++i) {
    const vertex last = of.add({"a.b" + std::to_string(i)});
    for (const vertex first : firsts) of.connect(first, last, origin::configuration);
  }
  EXPECT_EQ(told(of), names{"too large"});
}

TEST(OrderByBlocks, AsADocument) {
  order of;
  const vertex a = of.add({"a.\"a"}), b = of.add({"a.b"});
  of.connect(a, b, origin::configuration);
  EXPECT_EQ(to_json(by_blocks(of)),
            "{\"format\":\"tofud.order.v1\",\"steps\":[\n"
            "{\"block\":\"a.\\\"a\",\"does\":\"make\",\"operations\":1,\"before\":[]},\n"
            "{\"block\":\"a.b\",\"does\":\"make\",\"operations\":1,\"before\":[0]}]}\n");
  EXPECT_EQ(to_json(std::vector<block_step>{}), "{\"format\":\"tofud.order.v1\",\"steps\":[]}\n");
  EXPECT_EQ(
      to_json(std::nullopt),
      "{\"format\":\"tofud.order.v1\",\"steps\":[],\"problem\":\"too much waits for too much to "
      "be drawn (limit: 100000 edges between blocks)\"}\n");
}

}  // namespace
}  // namespace tofud::order
