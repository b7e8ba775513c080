#include "daemon/keeper/shared_page.hpp"

#include "daemon/keeper/limits.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::keeper {
namespace {

/// Takes the text into the page as the drain does, `piece` bytes at a time.
void drain(stream_page& page, const std::string& text, std::size_t piece) {
  std::uint64_t offset = page.drained;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const auto bytes = std::span{text}.subspan(at, std::min(piece, text.size() - at));
    keep_tail(page, offset, bytes);
    offset += bytes.size();
  }
  page.drained = offset;
}

std::string numbers(std::size_t bytes) {
  std::string text;
  for (std::size_t n = 0; text.size() < bytes; ++n) text += std::to_string(n) + '\n';
  text.resize(bytes);
  return text;
}

TEST(SharedPage, TailOfAShortStreamIsAllThatIsNotStored) {
  const auto page = shared_page::create();
  drain(*page, "stored, lost", 5);
  page->stored = 8;
  const auto tail = read_tail(*page);
  EXPECT_EQ(tail.first, 8U);
  EXPECT_EQ(tail.bytes, "lost");
}

TEST(SharedPage, TailIsEmptyWhenEverythingIsStored) {
  const auto page = shared_page::create();
  drain(*page, "stored", 6);
  page->stored = 6;
  const auto tail = read_tail(*page);
  EXPECT_EQ(tail.first, 6U);
  EXPECT_EQ(tail.bytes, "");
}

TEST(SharedPage, TailOfALongStreamIsItsNewestMegabyteWhateverTheReadsWere) {
  const auto text = numbers(limits::tail_bytes * 3 + 12345);
  for (const std::size_t piece : {std::size_t{1000}, limits::tail_bytes, limits::tail_bytes * 2}) {
    const auto page = shared_page::create();
    drain(*page, text, piece);
    page->stored = 100;
    const auto tail = read_tail(*page);
    EXPECT_EQ(tail.first, text.size() - limits::tail_bytes);
    EXPECT_TRUE(tail.bytes == text.substr(tail.first)) << "pieces of " << piece;
  }
}

TEST(SharedPage, SecondMappingSeesWhatTheFirstWrote) {
  const auto page = shared_page::create();
  page->port = 8080;
  write_text(page->run_id, "20261121T0312-7f3a");
  const auto other = shared_page::open(::dup(page.fd()));
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)->port, 8080U);
  EXPECT_STREQ((*other)->run_id.data(), "20261121T0312-7f3a");
}

TEST(SharedPage, OutlivesAProcessThatWroteAndDied) {
  const auto page = shared_page::create();
  const auto child = ::fork();
  if (child == 0) {
    page->folded = 77;
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(page->folded, 77U);
}

TEST(SharedPage, OtherFilesAreNoPage) {
  EXPECT_FALSE(shared_page::open(::open("/dev/null", O_RDWR | O_CLOEXEC)));
  EXPECT_FALSE(shared_page::open(-1));
}

TEST(SharedPage, CannotBeTruncatedUnderTheKeeper) {
  const auto page = shared_page::create();
  EXPECT_EQ(::ftruncate(page.fd(), 0), -1);
}

TEST(SharedPage, TextThatDoesNotFitIsCut) {
  std::array<char, 4> place{};
  write_text(place, "abcdef");
  EXPECT_STREQ(place.data(), "abc");
}

TEST(StoringStop, ComesOutOfItsWordAsItWentIn) {
  const storing_stop stop{stop_reason::write_error, 122, 5'000'000'000};
  EXPECT_EQ(unpacked(packed(stop)), stop);
  const storing_stop at_once{stop_reason::ring_full, 0, 0};
  EXPECT_EQ(unpacked(packed(at_once)), at_once);
  EXPECT_EQ(unpacked(0), std::nullopt);
}

}  // namespace
}  // namespace tofud::keeper
