// The rows of a topic in two orders: by first appearance and by last change.
#pragma once

#include "protocol/feed/source.hpp"
#include "protocol/text/grown_list.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tofud::fanout {

/// Rows have dense numbers in order of first appearance, so that order is a list. Sequence
/// numbers only grow, so the order by last change is a list threaded through the same one, to
/// whose end a changed row is moved: a change costs four writes, whatever the number of rows. 16
/// bytes a row.
// NOLINTNEXTLINE(bugprone-exception-escape): blocks of a list are moved, not copied
class row_order {
 public:
  /// The row is new if its number is `numbers()`; a removed one comes back.
  void change(feed::row_change change);
  void remove(feed::row_number row);
  /// In the place of all changes so far, when each row changed last; the numbers of several rows
  /// differ. O(n log n).
  void begin_with(const std::vector<feed::sequence>& seq_of_rows);

  /// Numbers given so far, those of removed rows included.
  feed::row_number numbers() const { return static_cast<feed::row_number>(rows_.size()); }
  /// When the row changed last; 0: it was removed.
  feed::sequence seq(feed::row_number row) const { return rows_[row].seq; }
  /// The row that changed next after this one, or `no_row`.
  feed::row_number next(feed::row_number row) const { return rows_[row].next; }
  /// The oldest change after `after`, or `no_row`; nothing if there are more than `most` of them,
  /// which is also how many rows are visited to find out.
  std::optional<feed::row_number> first_after(feed::sequence after, std::size_t most) const;

 private:
  struct entry {
    feed::sequence seq = 0;
    feed::row_number previous = feed::no_row, next = feed::no_row;
  };
  void unlink(entry& row);

  text::grown_list<entry> rows_;
  feed::row_number oldest_ = feed::no_row, newest_ = feed::no_row;
  std::size_t linked_ = 0;
};

}  // namespace tofud::fanout
