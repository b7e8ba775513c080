#include "daemon/keeper/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <thread>

namespace tofud::keeper {
namespace {

constexpr std::size_t small = 16;

void put(byte_ring& ring, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto room = ring.room();
    ASSERT_FALSE(room.empty());
    const auto n = std::min(room.size(), bytes.size());
    std::copy_n(bytes.begin(), n, room.begin());
    ring.commit(n);
    bytes.remove_prefix(n);
  }
}

std::string take(byte_ring& ring, std::size_t at_most) {
  const auto bytes = ring.wait_for_bytes();
  const auto n = std::min(bytes.size(), at_most);
  std::string text{bytes.data(), n};
  ring.release(n);
  return text;
}

// A process that is killed may have read and not said so.
TEST(ByteRing, InheritsWhatWasReadAndNotYetCounted) {
  for (const std::size_t before : {0U, 3U, 13U, 16U, 40U}) {
    ring_positions at;
    std::array<char, small> memory{};
    {
      byte_ring of_the_dead{at, memory};
      for (std::size_t i = 0; i < before; ++i) {
        put(of_the_dead, "x");
        take(of_the_dead, 1);
      }
      put(of_the_dead, "ab");
      const auto room = of_the_dead.room();
      std::copy_n("cd", std::min<std::size_t>(room.size(), 2), room.begin());
    }
    byte_ring heirs{at, memory};
    const auto room_left = small - (before + 2) % small;  // what one read could have filled
    const std::uint64_t end = heirs.inherit(before, before + 2, 8);
    std::string found;
    heirs.read(before, end, [&](std::uint64_t, std::span<const char> bytes) {
      found.append(bytes.begin(), bytes.end());
    });
    EXPECT_EQ(found, std::string{"abcd"}.substr(0, 2 + std::min<std::size_t>(room_left, 2)));
  }
}

TEST(ByteRing, GivesBackWhatWasPutInInOrder) {
  byte_ring ring{small};
  put(ring, "one ");
  put(ring, "two");
  EXPECT_EQ(take(ring, small), "one two");
}

TEST(ByteRing, HasNoRoomWhenFullAndSomeAgainAfterARelease) {
  byte_ring ring{small};
  put(ring, "0123456789abcdef");
  EXPECT_TRUE(ring.room().empty());
  EXPECT_EQ(take(ring, 3), "012");
  EXPECT_EQ(ring.room().size(), 3U);
}

TEST(ByteRing, BytesAroundItsEndComeInTwoPieces) {
  byte_ring ring{small};
  put(ring, "0123456789ab");
  EXPECT_EQ(take(ring, 10), "0123456789");
  put(ring, "cdefgh");
  EXPECT_EQ(take(ring, small), "abcdef");
  EXPECT_EQ(take(ring, small), "gh");
}

TEST(ByteRing, EndsOnceClosedAndEmpty) {
  byte_ring ring{small};
  put(ring, "last");
  ring.close();
  ring.close();
  EXPECT_EQ(take(ring, small), "last");
  EXPECT_TRUE(ring.wait_for_bytes().empty());
}

TEST(ByteRing, WithoutAddressSpaceItThrows) {
  EXPECT_THROW(byte_ring{std::size_t{1} << 62}, std::bad_alloc);
}

TEST(ByteRing, TwoThreadsExchangeEveryByte) {
  constexpr std::uint64_t total = 3'000'000;
  byte_ring ring{1021};  // a prime, so that pieces meet the end everywhere
  const auto byte_at = [](std::uint64_t n) { return static_cast<char>(n * 2654435761U >> 13); };
  std::thread producer{[&] {
    for (std::uint64_t n = 0; n < total;) {
      const auto room = ring.wait_for_room();
      const auto piece = std::min<std::uint64_t>({room.size(), total - n, n % 97 + 1});
      for (std::uint64_t i = 0; i < piece; ++i) room[i] = byte_at(n + i);
      ring.commit(piece);
      n += piece;
    }
    ring.close();
  }};
  std::uint64_t n = 0;
  std::uint64_t wrong = 0;
  for (auto bytes = ring.wait_for_bytes(); !bytes.empty(); bytes = ring.wait_for_bytes()) {
    const auto piece = std::min<std::uint64_t>(bytes.size(), n % 89 + 1);
    for (std::uint64_t i = 0; i < piece; ++i) wrong += bytes[i] != byte_at(n + i) ? 1U : 0U;
    ring.release(piece);
    n += piece;
  }
  producer.join();
  EXPECT_EQ(n, total);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace tofud::keeper
