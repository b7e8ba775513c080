#include "protocol/diff/pairing.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tofud::diff {
namespace {

// Lengths of common subsequences, and what they are made of.
class common_elements {
 public:
  struct place {
    std::size_t before, after;
  };

  common_elements(std::size_t before, std::size_t after, const pair_question& same) {
    // The walk below would go through what both have at their ends, too.
    while (before > 0 && after > 0 && same(before - 1, after - 1))
      places_.push_back({--before, --after});
    std::size_t first = 0;
    if (after > 0 && before > limits::compared_pairs / after) {
      while (first < before && first < after && same(first, first)) ++first;
    }
    const std::size_t left = before - first;
    if (after == first || left <= limits::compared_pairs / (after - first))
      find_between(first, left, after - first, same);
    for (; first > 0; --first) places_.push_back({first - 1, first - 1});
    std::reverse(places_.begin(), places_.end());
  }

  const std::vector<place>& places() const { return places_; }

 private:
  void find_between(std::size_t first, std::size_t before, std::size_t after,
                    const pair_question& same) {
    columns_ = before;
    lengths_.resize(before * after);
    same_.resize(before * after);
    for (std::size_t k = 0; k < after; ++k) {
      for (std::size_t i = 0; i < before; ++i) {
        const std::size_t cell = k * columns_ + i;
        same_[cell] = same(first + i, first + k);
        lengths_[cell] =
            same_[cell] ? length(i, k, 1, 1) + 1 : std::max(length(i, k, 1, 0), length(i, k, 0, 1));
      }
    }
    // Of several longest ones, the one that this walk from the end finds: an element of before is
    // passed over only if that is strictly better.
    std::size_t i = before, k = after;
    while (i > 0 && k > 0) {
      if (same_[(k - 1) * columns_ + i - 1]) {
        --i;
        --k;
        places_.push_back({first + i, first + k});
      } else if (length(i - 1, k - 1, 1, 0) > length(i - 1, k - 1, 0, 1)) {
        --i;
      } else {
        --k;
      }
    }
  }

  // The length so many columns to the left and rows up.
  std::uint32_t length(std::size_t i, std::size_t k, std::size_t left, std::size_t up) const {
    return i < left || k < up ? 0 : lengths_[(k - up) * columns_ + i - left];
  }

  std::size_t columns_ = 0;
  std::vector<std::uint32_t> lengths_;
  std::vector<bool> same_;
  std::vector<place> places_;
};

}  // namespace

void pair_elements(std::size_t before, std::size_t after, const pair_question& same,
                   const pair_question& alike, const pair_sink& pair) {
  const common_elements common{before, after, same};
  const auto& places = common.places();
  std::size_t i = 0, k = 0, next = 0;
  // Whether an element is the same as the next common one, be it at that place or earlier.
  const auto is_next_before = [&](std::size_t at) { return same(at, places[next].after); };
  const auto is_next_after = [&](std::size_t at) { return same(places[next].before, at); };
  while (i < before || k < after || next < places.size()) {
    while (i < before && (next == places.size() || !is_next_before(i))) {
      const bool common_after = k < after && next < places.size() && is_next_after(k);
      if (k < after && !common_after && alike(i, k))
        pair(i++, k++);
      else
        pair(i++, after);
    }
    // Here an element of before may be the next common one and be paired away all the same.
    while (k < after && (next == places.size() || !is_next_after(k))) {
      if (i < before && alike(i, k))
        pair(i++, k++);
      else
        pair(before, k++);
    }
    if (next < places.size()) {
      pair(i++, k++);
      ++next;
    }
  }
}

}  // namespace tofud::diff
