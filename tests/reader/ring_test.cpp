#include "daemon/reader/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>

namespace tofud::reader {
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

TEST(ByteRing, NoAddressSpaceIsAnException) {
  EXPECT_THROW(byte_ring{std::size_t{1} << 62}, std::bad_alloc);
}

TEST(ByteRing, TwoThreadsAgreeOnEveryByte) {
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
}  // namespace tofud::reader
