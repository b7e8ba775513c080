#include "daemon/fanout/line_store.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tofud::fanout {
namespace {

constexpr auto all = std::numeric_limits<feed::sequence>::max();

/// Lines 2, 4, 6, ... as "2\n", "4\n", ..., two bytes each below 10.
line_store evens(int lines, std::size_t keep, std::size_t chunk) {
  line_store store{keep, chunk};
  for (int i = 1; i <= lines; ++i)
    store.append({i % 2 != 0 ? feed::row_kind::log : feed::row_kind::text,
                  static_cast<feed::row_number>(i), static_cast<feed::sequence>(2 * i),
                  std::to_string(2 * i)});
  return store;
}

TEST(LineStore, KeepsTheKindOfEachLine) {
  const line_store store = evens(3, 100, 4);
  auto line = store.after(0);
  EXPECT_EQ(store.text(line), "2\n");
  EXPECT_EQ(store.kind(line), feed::row_kind::log);
  line = store.next(line);
  EXPECT_EQ(store.text(line), "4\n");
  EXPECT_EQ(store.kind(line), feed::row_kind::text);
  EXPECT_EQ(store.subject(line), 2U);
  line = store.next(line);
  EXPECT_EQ(store.seq(line), 6U);
  EXPECT_EQ(store.next(line), store.end());
}

TEST(LineStore, FindsTheFirstLineAfterANumber) {
  const line_store store = evens(4, 100, 4);
  EXPECT_EQ(store.seq(store.after(1)), 2U);
  EXPECT_EQ(store.seq(store.after(2)), 4U);
  EXPECT_EQ(store.seq(store.after(5)), 6U);
  EXPECT_EQ(store.after(8), store.end());
  EXPECT_EQ((line_store{1, 1}).after(0), (line_store{1, 1}).end());
}

TEST(LineStore, CopiesWholeLinesThatFitUpToANumber) {
  for (std::size_t chunk = 1; chunk < 12; ++chunk) {
    const line_store store = evens(4, 100, chunk);
    std::string out;
    EXPECT_EQ(store.copy(out, store.after(2), all, 100), store.end());
    EXPECT_EQ(out, "4\n6\n8\n");
    out.clear();
    EXPECT_EQ(store.copy(out, store.after(0), 6, 100), store.after(6));
    EXPECT_EQ(out, "2\n4\n6\n");
    out.clear();
    EXPECT_EQ(store.copy(out, store.after(0), all, 5), store.after(4));
    EXPECT_EQ(out, "2\n4\n");
    out.clear();
    EXPECT_EQ(store.copy(out, store.after(0), all, 1), store.after(0));
    EXPECT_EQ(out, "");
  }
}

TEST(LineStore, DropsWholeChunksFromTheFront) {
  const line_store store = evens(4, 5, 4);  // "2\n4\n" "6\n8\n"
  EXPECT_EQ(store.dropped(), 4U);
  EXPECT_EQ(store.bytes(), 4U);
  EXPECT_EQ(store.seq(store.after(0)), 6U);
}

TEST(LineStore, KeepsTheNewestLineHoweverLong) {
  line_store store{5, 4};
  store.append({feed::row_kind::text, feed::no_row, 1, "a"});
  store.append({feed::row_kind::text, feed::no_row, 2, std::string(50, 'x')});
  EXPECT_EQ(store.dropped(), 1U);
  EXPECT_EQ(store.text(store.after(0)).size(), 51U);
}

TEST(LineStore, SharedBudgetDropsTheOldestLines) {
  const auto shared = std::make_shared<line_budget>(300);
  line_store quiet{10'000, 50, shared}, busy{10'000, 50, shared};
  const std::string text(39, 'x');
  for (feed::sequence seq = 1; seq <= 5; ++seq) quiet.append({feed::row_kind::text, 0, seq, text});
  EXPECT_EQ(shared->held(), 200U);
  for (feed::sequence seq = 1; seq <= 50; ++seq) busy.append({feed::row_kind::text, 0, seq, text});
  EXPECT_EQ(quiet.dropped(), 0U);
  EXPECT_EQ(busy.dropped(), 48U);
  EXPECT_LE(shared->held(), 300U);
  // Never the newest, even where others hold everything.
  const auto none = std::make_shared<line_budget>(0);
  line_store last{10'000, 50, none};
  for (feed::sequence seq = 1; seq <= 3; ++seq) last.append({feed::row_kind::text, 0, seq, text});
  EXPECT_EQ(last.dropped(), 2U);
  EXPECT_EQ(last.bytes(), 40U);
}

TEST(LineStore, GivesBackWhatItHeldOfABudget) {
  const auto shared = std::make_shared<line_budget>(300);
  {
    line_store first{10'000, 50, shared};
    first.append({feed::row_kind::text, 0, 1, "abc"});
    EXPECT_EQ(shared->held(), 4U);
    const line_store moved{std::move(first)};
    EXPECT_EQ(shared->held(), 4U);
  }
  EXPECT_EQ(shared->held(), 0U);
}

}  // namespace
}  // namespace tofud::fanout
