#include "protocol/ui/line_splitter.hpp"

#include "protocol/text/sizes.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <random>
#include <vector>

namespace {

// Bytes this program holds on the heap; the splitter has no other way to show what it keeps.
std::atomic<std::size_t> held_bytes{0};

void* count_in(void* block) {
  if (block == nullptr) throw std::bad_alloc{};
  held_bytes += malloc_usable_size(block);
  return block;
}

void count_out(void* block) {
  held_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return count_in(std::malloc(size)); }
void operator delete(void* block) noexcept { count_out(block); }
void operator delete(void* block, std::size_t) noexcept { count_out(block); }

namespace tofud::ui {
namespace {

// What a splitter gave: lines as they are, over-long ones as "<N bytes>".
struct heard {
  std::vector<std::string> lines;
  void feed(line_splitter& splitter, std::string_view bytes) {
    splitter.feed(
        bytes, [&](std::string_view line) { lines.emplace_back(line); },
        [&](std::uint64_t size) { lines.push_back("<" + std::to_string(size) + " bytes>"); });
  }
};

using texts = std::vector<std::string>;

texts split(std::string_view stream, std::size_t max_line = 1024) {
  line_splitter splitter{max_line};
  heard all;
  all.feed(splitter, stream);
  return all.lines;
}

TEST(LineSplitter, LineCutBetweenTwoReadsComesOutWhole) {
  line_splitter splitter{1024};
  heard all;
  all.feed(splitter, R"({"type":)");
  EXPECT_TRUE(all.lines.empty());
  all.feed(splitter, "\"log\"}\n");
  EXPECT_EQ(all.lines, texts{R"({"type":"log"})"});
  EXPECT_EQ(splitter.rest(), "");
}

TEST(LineSplitter, StreamCutAtEveryByteGivesTheSameLines) {
  const std::string stream = "{\"a\":1}\n\n  text\r\n" + std::string(20, 'x') + "\nlast\n\n";
  const texts whole = split(stream, 10);
  ASSERT_EQ(whole, (texts{"{\"a\":1}", "", "  text\r", "<20 bytes>", "last", ""}));
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    line_splitter splitter{10};
    heard all;
    all.feed(splitter, std::string_view{stream}.substr(0, cut));
    all.feed(splitter, std::string_view{stream}.substr(cut));
    EXPECT_EQ(all.lines, whole) << "cut at " << cut;
  }
}

TEST(LineSplitter, StreamFedByteByByteGivesTheSameLines) {
  const std::string stream = "a\n\nbcd\r\n" + std::string(20, 'x') + "\ne";
  line_splitter splitter{10};
  heard all;
  for (const char& byte : stream) all.feed(splitter, {&byte, 1});
  EXPECT_EQ(all.lines, split(stream, 10));
  EXPECT_EQ(splitter.rest(), "e");
}

TEST(LineSplitter, AnyPiecesGiveTheSameLines) {
  std::mt19937 random{42};
  for (int round = 0; round < 500; ++round) {
    std::string stream;
    for (std::size_t i = random() % 200; i > 0; --i) stream += "ab\n\r\0"[random() % 5];
    const texts whole = split(stream, 8);
    line_splitter splitter{8};
    heard all;
    for (std::string_view rest = stream; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(random() % 12, rest.size());
      all.feed(splitter, rest.substr(0, size));
      rest.remove_prefix(size);
    }
    ASSERT_EQ(all.lines, whole) << "round " << round;
  }
}

TEST(LineSplitter, CarriageReturnsStayInTheLine) {
  EXPECT_EQ(split("a\r\n\r\nb\rc\n"), (texts{"a\r", "\r", "b\rc"}));
}

TEST(LineSplitter, EmptyLinesAreLines) { EXPECT_EQ(split("\n\na\n\n"), (texts{"", "", "a", ""})); }

TEST(LineSplitter, ZeroBytesAreBytesLikeOthers) {
  EXPECT_EQ(split(std::string_view{"a\0b\n", 4}), texts{std::string("a\0b", 3)});
}

TEST(LineSplitter, NothingComesOutOfNothing) {
  line_splitter splitter{10};
  heard all;
  all.feed(splitter, "");
  EXPECT_TRUE(all.lines.empty());
  EXPECT_EQ(splitter.rest(), "");
  EXPECT_EQ(splitter.skipped(), 0U);
}

TEST(LineSplitter, LineOfExactlyTheLimitIsALine) {
  EXPECT_EQ(split("12345678\n", 8), texts{"12345678"});
  line_splitter splitter{8};
  heard all;
  all.feed(splitter, "1234");
  all.feed(splitter, "5678");
  EXPECT_EQ(splitter.rest(), "12345678");
  all.feed(splitter, "\n");
  EXPECT_EQ(all.lines, texts{"12345678"});
}

TEST(LineSplitter, LineOneByteOverTheLimitIsSkippedAndReportedOnce) {
  EXPECT_EQ(split("a\n123456789\nb\n", 8), (texts{"a", "<9 bytes>", "b"}));
}

TEST(LineSplitter, OverLongLineIsReportedAtItsEndWithItsWholeSize) {
  line_splitter splitter{8};
  heard all;
  for (int i = 0; i < 100; ++i) all.feed(splitter, "0123456789");
  EXPECT_TRUE(all.lines.empty());
  EXPECT_EQ(splitter.skipped(), 1000U);
  EXPECT_EQ(splitter.rest(), "");
  all.feed(splitter, "x\nnext\n");
  EXPECT_EQ(all.lines, (texts{"<1001 bytes>", "next"}));
  EXPECT_EQ(splitter.skipped(), 0U);
}

TEST(LineSplitter, OverLongLinesInARowAreReportedEach) {
  EXPECT_EQ(split("123456789\n1234567890\n12345678\n", 8),
            (texts{"<9 bytes>", "<10 bytes>", "12345678"}));
}

TEST(LineSplitter, RestIsWhatCameAfterTheLastNewline) {
  line_splitter splitter{100};
  heard all;
  all.feed(splitter, "a\nbc");
  EXPECT_EQ(splitter.rest(), "bc");
  all.feed(splitter, "d");
  EXPECT_EQ(splitter.rest(), "bcd");
}

TEST(LineSplitter, DropRemovesTheUnfinishedLine) {
  line_splitter splitter{4};
  heard all;
  all.feed(splitter, "ab");
  splitter.drop();
  all.feed(splitter, "c\n");
  all.feed(splitter, "123456");
  splitter.drop();
  EXPECT_EQ(splitter.skipped(), 0U);
  all.feed(splitter, "d\n");
  EXPECT_EQ(all.lines, (texts{"c", "d"}));
}

TEST(LineSplitter, WholeLinesInsideOnePieceAreNotCopied) {
  const std::string stream = "a\nbc\n";
  line_splitter splitter{100};
  const char* expected = stream.data();
  splitter.feed(
      stream,
      [&](std::string_view line) {
        EXPECT_EQ(line.data(), expected);
        expected += line.size() + 1;
      },
      [](std::uint64_t) { ADD_FAILURE() << "no line is too long"; });
}

TEST(LineSplitter, MemoryOfAHugeLineIsFreedAtItsEnd) {
  const std::string piece(limits::mib, 'x');
  line_splitter splitter{16 * limits::mib};
  std::size_t sizes = 0;
  const auto line = [&](std::string_view text) { sizes += text.size(); };
  const auto too_long = [&](std::uint64_t size) { sizes += size; };
  const std::size_t before = held_bytes;
  for (const int pieces : {8, 20}) {  // a long line, and one that is too long
    for (int i = 0; i < pieces; ++i) splitter.feed(piece, line, too_long);
    splitter.feed("\n", line, too_long);
    EXPECT_LT(held_bytes - before, limits::mib) << pieces;
  }
  EXPECT_EQ(sizes, 28 * limits::mib);
}

TEST(LineSplitter, HoldsLittleMoreThanTheLimit) {
  const std::string piece(limits::mib, 'x');
  line_splitter splitter{4 * limits::mib};
  const std::size_t before = held_bytes;
  std::size_t most = 0;
  for (int i = 0; i < 64; ++i) {
    splitter.feed(
        piece, [](std::string_view) {}, [](std::uint64_t) {});
    most = std::max(most, held_bytes - before);
  }
  EXPECT_LE(most, 8 * limits::mib);  // a growing string doubles
}

}  // namespace
}  // namespace tofud::ui
