#include "daemon/operations/held_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
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
  EXPECT_EQ(name(memory_for::rows), "rows");
  EXPECT_EQ(name(memory_for::answers), "answers");
  EXPECT_EQ(static_cast<std::size_t>(memory_for::answers) + 1, memory_parts);
}

}  // namespace
}  // namespace tofud::operations
