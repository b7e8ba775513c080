#include "daemon/fanout/row_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tofud::fanout {
namespace {

std::vector<feed::row_number> after(const row_order& rows, feed::sequence seq) {
  std::vector<feed::row_number> found;
  for (auto row = rows.first_after(seq, 1000).value(); row != feed::no_row; row = rows.next(row))
    found.push_back(row);
  return found;
}

using numbers = std::vector<feed::row_number>;

TEST(RowOrder, ChangedRowMovesToTheEnd) {
  row_order rows;
  rows.change({0, 1});
  rows.change({1, 2});
  rows.change({2, 3});
  rows.change({0, 4});
  EXPECT_EQ(after(rows, 0), (numbers{1, 2, 0}));
  EXPECT_EQ(after(rows, 2), (numbers{2, 0}));
  EXPECT_EQ(after(rows, 4), numbers{});
}

TEST(RowOrder, RemovedRowIsInNoOrderUntilItComesBack) {
  row_order rows;
  rows.change({0, 1});
  rows.change({1, 2});
  rows.remove(1);
  rows.remove(1);
  EXPECT_EQ(after(rows, 0), numbers{0});
  EXPECT_EQ(rows.seq(1), 0U);
  EXPECT_EQ(rows.numbers(), 2U);
  rows.change({1, 4});
  EXPECT_EQ(after(rows, 0), (numbers{0, 1}));
}

TEST(RowOrder, ReportsWhenItIsFull) {
  row_order rows;
  for (feed::row_number row = 0; row < 5; ++row) rows.change({row, row + 1});
  EXPECT_EQ(rows.first_after(0, 5), 0U);
  EXPECT_EQ(rows.first_after(0, 4), std::nullopt);
  EXPECT_EQ(rows.first_after(1, 4), 1U);
  EXPECT_EQ(rows.first_after(1, 3), std::nullopt);
  EXPECT_EQ(rows.first_after(5, 0), feed::no_row);
}

TEST(RowOrder, IsTheSameAsSorting) {
  std::mt19937 random{1};
  row_order rows;
  std::vector<feed::sequence> seqs;
  for (feed::sequence seq = 1; seq <= 2000; ++seq) {
    const auto row =
        static_cast<feed::row_number>(random() % (std::min<std::size_t>(seqs.size(), 60) + 1));
    if (row == seqs.size()) seqs.push_back(0);
    if (seqs[row] != 0 && random() % 4 == 0) {
      rows.remove(row);
      seqs[row] = 0;
    } else {
      rows.change({row, seq});
      seqs[row] = seq;
    }
    const feed::sequence from = random() % (seq + 1);
    numbers expected;
    for (feed::row_number i = 0; i < seqs.size(); ++i)
      if (seqs[i] > from) expected.push_back(i);
    std::sort(expected.begin(), expected.end(), [&](auto a, auto b) { return seqs[a] < seqs[b]; });
    ASSERT_EQ(after(rows, from), expected);
  }
}

}  // namespace
}  // namespace tofud::fanout
