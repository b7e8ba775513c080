#include "daemon/fanout/row_order.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace tofud::fanout {

void row_order::change(feed::row_change change) {
  assert(change.row <= rows_.size() && "row numbers are dense");
  if (change.row == rows_.size()) rows_.emplace_back();
  entry& row = rows_[change.row];
  if (row.seq != 0) unlink(row);
  row = {change.seq, newest_, feed::no_row};
  (newest_ == feed::no_row ? oldest_ : rows_[newest_].next) = change.row;
  newest_ = change.row;
  ++linked_;
}

void row_order::begin_with(const std::vector<feed::sequence>& seq_of_rows) {
  *this = {};
  std::vector<feed::row_number> by_seq(seq_of_rows.size());
  std::iota(by_seq.begin(), by_seq.end(), feed::row_number{0});
  std::sort(by_seq.begin(), by_seq.end(), [&](feed::row_number a, feed::row_number b) {
    return seq_of_rows[a] < seq_of_rows[b];
  });
  rows_.resize(seq_of_rows.size());
  for (const feed::row_number row : by_seq) change({row, seq_of_rows[row]});
}

void row_order::remove(feed::row_number row) {
  assert(row < rows_.size());
  if (rows_[row].seq == 0) return;
  unlink(rows_[row]);
  rows_[row] = {};
}

void row_order::unlink(entry& row) {
  (row.previous == feed::no_row ? oldest_ : rows_[row.previous].next) = row.next;
  (row.next == feed::no_row ? newest_ : rows_[row.next].previous) = row.previous;
  --linked_;
}

std::optional<feed::row_number> row_order::first_after(feed::sequence after,
                                                       std::size_t most) const {
  if (oldest_ != feed::no_row && rows_[oldest_].seq > after) {
    if (linked_ > most) return std::nullopt;
    return oldest_;
  }
  feed::row_number first = feed::no_row;
  for (feed::row_number row = newest_; row != feed::no_row && rows_[row].seq > after;
       row = rows_[row].previous) {
    if (most-- == 0) return std::nullopt;
    first = row;
  }
  return first;
}

}  // namespace tofud::fanout
