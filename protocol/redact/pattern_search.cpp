#include "protocol/redact/pattern_search.hpp"

#include <algorithm>

namespace tofud::redact {
namespace {

struct pattern_range {
  std::size_t first, last;  // of the sorted patterns
};

}  // namespace

pattern_search::pattern_search(std::vector<pattern> patterns) {
  std::sort(patterns.begin(), patterns.end(),
            [](const pattern& a, const pattern& b) { return a.text < b.text; });
  for (const pattern& each : patterns) {
    const auto byte = [&each](std::size_t i) { return static_cast<std::uint8_t>(each.text[i]); };
    begins_.set(byte(0) << 8U | byte(1));
    // Whatever follows a pattern of two or three bytes.
    std::string four = each.text.substr(0, 4);
    const std::size_t open_ended = 4 - four.size();
    four.resize(4);
    for (std::size_t any = 0; any < std::size_t{1} << 8 * open_ended; ++any) {
      for (std::size_t i = 0; i < open_ended; ++i)
        four[4 - open_ended + i] = static_cast<char>(any >> 8 * i);
      goes_on_.set(three_at(four.data()));
      near_begin_[three_at(four.data())] = near_begin_[three_at(four.data() + 1)] = 1;
    }
  }
  // Breadth first: the patterns below a state are a range of the sorted list.
  states_.emplace_back();
  labels_.push_back(0);
  std::vector<pattern_range> still_below{{0, patterns.size()}};
  for (std::uint32_t at = 0; at < states_.size(); ++at) {
    auto [first, last] = still_below[at];
    const std::uint32_t depth = states_[at].depth;
    for (; first < last && patterns[first].text.size() == depth; ++first) {
      const pattern& ends = patterns[first];
      if (ends.type == kind::fixed) states_[at].fixed = depth;
      if (ends.type == kind::open) states_[at].open = depth;
      if (ends.type == kind::anchor) {
        states_[at].anchor = depth;
        states_[at].anchor_id = ends.id;
      }
    }
    states_[at].first_child = static_cast<std::uint32_t>(states_.size());
    while (first < last) {
      const char byte = patterns[first].text[depth];
      std::size_t end = first;
      bool hides = false;
      for (; end < last && patterns[end].text[depth] == byte; ++end) {
        hides |= patterns[end].type != kind::anchor;
      }
      state& made = states_.emplace_back();
      made.depth = depth + 1;
      made.hides = hides;
      labels_.push_back(static_cast<std::uint8_t>(byte));
      still_below.push_back({first, end});
      ++states_[at].children;
      first = end;
    }
  }
  for (std::uint32_t i = 0; i < states_[0].children; ++i) {
    const std::uint32_t to = states_[0].first_child + i;
    roots_[labels_[to]] = to;
  }
  // A suffix is shorter, so it comes earlier in this order.
  for (std::uint32_t at = 0; at < states_.size(); ++at) {
    for (std::uint32_t i = 0; i < states_[at].children; ++i) {
      const std::uint32_t to = states_[at].first_child + i;
      state& reached = states_[to];
      reached.fail = at == 0 ? 0 : step(states_[at].fail, labels_[to]);
      const state& suffix = states_[reached.fail];
      if (reached.fixed == 0) reached.fixed = suffix.fixed;
      if (reached.open == 0) reached.open = suffix.open;
      if (reached.anchor == 0) {
        reached.anchor = suffix.anchor;
        reached.anchor_id = suffix.anchor_id;
      }
    }
  }
}

}  // namespace tofud::redact
