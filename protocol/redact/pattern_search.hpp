// Many fixed texts looked for in one pass.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {

/// Aho and Corasick's automaton: one pass over a text, linear in it however many patterns there
/// are. Three kinds of them: `fixed` ones are found as they stand, `open` ones are the beginning of
/// something that goes on, `anchors` tell that it is worth a closer look there. Where several of a
/// kind end at one place, only the longest is told: the others are inside it. Immutable once built.
class pattern_search {
 public:
  enum class kind : std::uint8_t { fixed, open, anchor };
  struct pattern {
    std::string text;  // two bytes or more
    kind type;
    std::uint16_t id = 0;  // of an anchor
  };

  explicit pattern_search(std::vector<pattern> patterns);

  /// Calls `hit(kind, begin, end, id)` for what is found, by growing `end`; it says whether to go
  /// on. Returns how many of the last bytes of `text` begin a fixed or open pattern that is cut
  /// off there.
  template <typename Hit>
  std::size_t scan(std::string_view text, Hit&& hit) const;

 private:
  // The states of a trie in breadth-first order, so that the children of one lie side by side.
  struct state {
    std::uint32_t first_child = 0;
    std::uint32_t fail = 0;   // where the longest proper suffix that is a prefix ends
    std::uint32_t fixed = 0;  // length of the longest pattern of that kind that ends here; 0: none
    std::uint32_t open = 0;
    std::uint32_t anchor = 0;  // length of the longest anchor
    std::uint32_t depth = 0;
    std::uint16_t children = 0;
    std::uint16_t anchor_id = 0;
    bool hides = false;  // a fixed or open pattern goes through here
  };

  /// A number of 16 bits for the first three of four bytes. Several threes may have one number:
  /// what has none begins nothing.
  static std::size_t three_of(std::uint32_t four) {
    return (four & 0xffffffU) * 0x9E3779B1U >> 16U;
  }
  static std::size_t three_at(const char* at) {
    const auto byte = [at](std::size_t i) {
      return std::uint32_t{static_cast<std::uint8_t>(at[i])};
    };
    return three_of(byte(0) | byte(1) << 8U | byte(2) << 16U);
  }
  bool may_begin(const char* at) const;
  std::size_t next_begin(std::string_view text, std::size_t from) const;
  std::uint32_t child(std::uint32_t from, std::uint8_t byte) const;
  std::uint32_t step(std::uint32_t from, std::uint8_t byte) const;

  std::vector<state> states_;
  std::vector<std::uint8_t> labels_;  // the byte that leads to a state
  std::array<std::uint32_t, 256> roots_{};
  std::bitset<65536> begins_;   // two bytes with which some pattern begins
  std::bitset<65536> goes_on_;  // three_at() with which one may begin
  // three_at() of the first byte of a pattern or of its second: of each pattern one of these stands
  // at an even place, whichever places are called so. Bytes, since bits took a quarter more
  // instructions.
  std::array<std::uint8_t, 65536> near_begin_{};
};

inline bool pattern_search::may_begin(const char* at) const {
  const auto byte = [at](std::size_t i) { return std::size_t{static_cast<std::uint8_t>(at[i])}; };
  return begins_[byte(0) << 8U | byte(1)] && goes_on_[three_at(at)];
}

/// Where from `from` on a pattern may begin next; at the end if nowhere. Most bytes begin nothing:
/// eight at a time tell that without walking the automaton.
inline std::size_t pattern_search::next_begin(std::string_view text, std::size_t from) const {
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  const auto near = [&](std::size_t at) {
    std::uint32_t four = 0;
    std::memcpy(&four, bytes + at, 4);
    return near_begin_[three_of(four)];
  };
  std::size_t at = from;
  for (std::size_t i = from; i + 10 <= size; i += 8) {
    if ((near(i) | near(i + 2) | near(i + 4) | near(i + 6)) != 0) {
      for (; at < i + 7; ++at) {
        if (may_begin(bytes + at)) return at;
      }
    }
    at = i + 7;  // what begins there has its second byte among the next eight
  }
  for (; at + 2 < size; ++at) {
    if (may_begin(bytes + at)) return at;
  }
  if (at + 1 == size) return at;
  const auto byte = [text](std::size_t i) {
    return std::size_t{static_cast<std::uint8_t>(text[i])};
  };
  if (at + 2 == size && !begins_[byte(at) << 8U | byte(at + 1)]) ++at;
  return at;
}

inline std::uint32_t pattern_search::child(std::uint32_t from, std::uint8_t byte) const {
  const state& at = states_[from];
  std::uint32_t low = at.first_child;
  std::uint32_t high = low + at.children;
  while (high - low > 8) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (labels_[middle] <= byte)
      low = middle;
    else
      high = middle;
  }
  for (; low < high; ++low) {
    if (labels_[low] == byte) return low;
  }
  return 0;
}

inline std::uint32_t pattern_search::step(std::uint32_t from, std::uint8_t byte) const {
  while (from != 0) {
    if (const std::uint32_t to = child(from, byte); to != 0) return to;
    from = states_[from].fail;
  }
  return roots_[byte];
}

template <typename Hit>
std::size_t pattern_search::scan(std::string_view text, Hit&& hit) const {
  std::uint32_t at = 0;
  const std::size_t size = text.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (at == 0) i = next_begin(text, i);
    if (i >= size) break;
    at = step(at, static_cast<std::uint8_t>(text[i]));
    const state& now = states_[at];
    if ((now.fixed | now.open | now.anchor) == 0) continue;
    const std::size_t end = i + 1;
    if (now.fixed != 0 && !hit(kind::fixed, end - now.fixed, end, std::uint16_t{0})) return 0;
    if (now.open != 0 && !hit(kind::open, end - now.open, end, std::uint16_t{0})) return 0;
    if (now.anchor != 0 && !hit(kind::anchor, end - now.anchor, end, now.anchor_id)) return 0;
  }
  // What is there as a whole was told already.
  const auto is_cut = [this](const state& each) {
    return each.hides && each.fixed != each.depth && each.open != each.depth;
  };
  while (at != 0 && !is_cut(states_[at])) at = states_[at].fail;
  return states_[at].depth;
}

}  // namespace tofud::redact
