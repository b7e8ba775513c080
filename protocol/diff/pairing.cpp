#include "protocol/diff/pairing.hpp"

#include "protocol/diff/limits.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace tofud::diff {
namespace {

// Lengths of common subsequences, and what they are made of.
class common_elements {
 public:
  struct place {
    std::size_t before, after;
  };

  common_elements(element_numbers before, element_numbers after) : before_{before}, after_{after} {
    std::size_t left = before.size(), right = after.size();
    // The walk below would go through what both have at their ends, too.
    while (left > 0 && right > 0 && before[left - 1] == after[right - 1])
      places_.push_back({--left, --right});
    std::size_t first = 0;
    if (right > 0 && left > limits::compared_pairs / right) {
      while (first < left && first < right && before[first] == after[first]) ++first;
    }
    const std::size_t rows = right - first, columns = left - first;
    if (rows == 0 || columns <= limits::compared_pairs / rows) find_between(first, left, right);
    for (; first > 0; --first) places_.push_back({first - 1, first - 1});
    std::reverse(places_.begin(), places_.end());
  }

  const std::vector<place>& places() const { return places_; }

 private:
  void find_between(std::size_t first, std::size_t before_end, std::size_t after_end) {
    columns_ = before_end - first;
    const auto old = before_.subspan(first, columns_);
    // An element that is only after adds nothing to any length: the walk would pass it at once.
    const std::unordered_set<std::uint32_t> known{old.begin(), old.end()};
    std::vector<std::size_t> rows;
    for (std::size_t k = first; k < after_end; ++k) {
      if (known.contains(after_[k])) rows.push_back(k);
    }
    lengths_.assign((rows.size() + 1) * (columns_ + 1), 0);
    for (std::size_t row = 1; row <= rows.size(); ++row) {
      const std::uint32_t number = after_[rows[row - 1]];
      const length* above = &at(0, row - 1);
      length* here = &at(0, row);
      for (std::size_t i = 1; i <= columns_; ++i) {
        here[i] = old[i - 1] == number ? static_cast<length>(above[i - 1] + 1)
                                       : std::max(here[i - 1], above[i]);
      }
    }
    // Of several longest ones, the one that this walk from the end finds: an element of before is
    // passed over only if that is strictly better.
    std::size_t i = columns_, row = rows.size();
    while (i > 0 && row > 0) {
      if (old[i - 1] == after_[rows[row - 1]]) {
        --i;
        --row;
        places_.push_back({first + i, rows[row]});
      } else if (at(i - 1, row) > at(i, row - 1)) {
        --i;
      } else {
        --row;
      }
    }
  }

  // No length is over the shorter list's, whose square is at most limits::compared_pairs.
  using length = std::uint16_t;
  static_assert(limits::compared_pairs <= std::size_t{65535} * 65535);

  length& at(std::size_t i, std::size_t row) { return lengths_[row * (columns_ + 1) + i]; }

  element_numbers before_, after_;
  std::size_t columns_ = 0;
  std::vector<length> lengths_;
  std::vector<place> places_;
};

}  // namespace

void pair_elements(element_numbers before, element_numbers after, const pair_question& alike,
                   const pair_sink& pair, bool by_position) {
  if (by_position && before.size() == after.size()) {
    for (std::size_t i = 0; i < before.size(); ++i) pair(i, i);
    return;
  }
  const common_elements common{before, after};
  const auto& places = common.places();
  std::size_t i = 0, k = 0, next = 0;
  // Whether an element is the same as the next common one, be it at that place or earlier.
  const auto is_next = [&](std::uint32_t number) { return number == before[places[next].before]; };
  while (i < before.size() || k < after.size() || next < places.size()) {
    while (i < before.size() && (next == places.size() || !is_next(before[i]))) {
      const bool common_after = k < after.size() && next < places.size() && is_next(after[k]);
      if (k < after.size() && !common_after && alike(i, k))
        pair(i++, k++);
      else
        pair(i++, after.size());
    }
    // Here an element of before may be the next common one and be paired away all the same.
    while (k < after.size() && (next == places.size() || !is_next(after[k]))) {
      if (i < before.size() && alike(i, k))
        pair(i++, k++);
      else
        pair(before.size(), k++);
    }
    if (next < places.size()) {
      pair(i++, k++);
      ++next;
    }
  }
}

}  // namespace tofud::diff
