#include "daemon/operations/held_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace tofud::operations {
namespace {

TEST(HeldMemory, IsCountedWhileItsOwnerLives) {
  const std::size_t before = memory_held(memory_for::bodies), all = memory_held();
  {
    held_memory one{memory_for::bodies, 100};
    held_memory other{memory_for::bodies};
    other.hold(50);
    EXPECT_EQ(memory_held(memory_for::bodies) - before, 150);
    other.hold(20);
    EXPECT_EQ(memory_held(memory_for::bodies) - before, 120);
    EXPECT_EQ(memory_held() - all, 120);
    EXPECT_EQ(one.bytes(), 100);
  }
  EXPECT_EQ(memory_held(memory_for::bodies), before);
  EXPECT_EQ(memory_held(), all);
}

TEST(HeldMemory, IsGivenBackWithItsOwner) {
  const std::size_t before = memory_held(memory_for::answers);
  held_memory one{memory_for::answers, 100};
  held_memory taken{std::move(one)};
  EXPECT_EQ(memory_held(memory_for::answers) - before, 100);
  taken = held_memory{memory_for::answers, 7};
  EXPECT_EQ(memory_held(memory_for::answers) - before, 7);
}

TEST(HeldMemory, EachPartHasItsName) {
  std::set<std::string_view> names;
  for (std::size_t part = 0; part < memory_parts; ++part) {
    names.insert(name(static_cast<memory_for>(part)));
  }
  EXPECT_EQ(names.size(), memory_parts);
  EXPECT_FALSE(names.contains(""));
  EXPECT_EQ(name(memory_for::rows), "rows");
  EXPECT_EQ(name(memory_for::walls), "walls");
}

}  // namespace
}  // namespace tofud::operations
