#include "protocol/order/nearest.hpp"

#include "protocol/order/limits.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

namespace tofud::order {
namespace {

using number = std::uint32_t;
using list = std::vector<number>;

constexpr number none = std::numeric_limits<number>::max();
constexpr std::size_t words = 8, bits = 64 * words;  // of a set: a line of the cache
using set_of_some = std::array<std::uint64_t, words>;

class nearest {
 public:
  explicit nearest(const group_graph& of) : of_{of}, lists_(of.before.size()) {}

  std::optional<nearest_lists> find() {
    sort();
    if (!collect() || !reduce()) return std::nullopt;
    for (number each = 0; each < lists_.size(); ++each) {
      if (of_.is_hub[each]) lists_[each] = nullptr;
    }
    return nearest_lists{lists_.begin(), lists_.end()};
  }

 private:
  /// Each behind all that is before it. What has a circle before it is left out.
  void sort() {
    std::vector<std::size_t> left;
    left.reserve(of_.before.size());
    for (number each = 0; each < of_.before.size(); ++each) {
      left.push_back(of_.before[each].size());
      if (left.back() == 0) sorted_.push_back(each);
    }
    for (std::size_t at = 0; at < sorted_.size(); ++at) {
      for (const number after : of_.after[sorted_[at]]) {
        if (--left[after] == 0) sorted_.push_back(after);
      }
    }
  }

  /// Those that are reached through hubs alone. What has one thing before it shares its list.
  bool collect() {
    const auto nothing = std::make_shared<list>();
    std::vector<number> stamps(of_.before.size(), none);
    for (const number each : sorted_) {
      const auto& before = of_.before[each];
      if (before.empty()) {
        lists_[each] = nothing;
        continue;
      }
      if (before.size() == 1 && of_.is_hub[before.front()]) {
        lists_[each] = lists_[before.front()];
        continue;
      }
      auto made = std::make_shared<list>();
      const auto add = [&](number one) {
        if (std::exchange(stamps[one], each) != each) made->push_back(one);
      };
      for (const number from : before) {
        if (!of_.is_hub[from]) {
          add(from);
          continue;
        }
        looks_ += lists_[from]->size();
        for (const number one : *lists_[from]) add(one);
      }
      looks_ += before.size();
      if (looks_ > limits::course_looks) return false;
      lists_[each] = std::move(made);
    }
    return true;
  }

  struct judged_list {
    list* of;
    std::vector<bool> is_before_another;
    number first, last;  // of its candidates
  };

  /// Leaves out what is before another of the same list: `bits` of those that may be at a time,
  /// sets of which are carried forward through the graph.
  bool reduce() {
    find_candidates();
    std::vector<set_of_some> before(of_.before.size());
    for (std::size_t begin = 0; begin < candidates_.size(); begin += bits) {
      const std::size_t end = std::min(begin + bits, candidates_.size());
      if (!carry(before, begin, end)) return false;
      for (judged_list& each : judged_) {
        if (each.first < end && each.last >= begin) judge(each, before, begin, end);
      }
    }
    for (judged_list& each : judged_) {
      std::size_t place = 0;
      std::erase_if(*each.of, [&](number) { return each.is_before_another[place++]; });
    }
    return true;
  }

  void find_candidates() {
    boost::unordered_flat_map<list*, std::size_t> known;
    std::vector<bool> wanted(of_.before.size());
    for (const number each : sorted_) {
      list* const of = lists_[each].get();
      if (of_.is_hub[each] || of->size() < 2 || !known.emplace(of, 0).second) continue;
      judged_.push_back({of, std::vector<bool>(of->size()), none, 0});
      for (const number one : *of) wanted[one] = true;
    }
    places_.assign(of_.before.size(), none);
    for (std::size_t at = 0; at < sorted_.size(); ++at) {
      if (!wanted[sorted_[at]]) continue;
      places_[sorted_[at]] = static_cast<number>(candidates_.size());
      candidates_.push_back(static_cast<number>(at));
    }
    for (judged_list& each : judged_) {
      for (const number one : *each.of) {
        each.first = std::min(each.first, places_[one]);
        each.last = std::max(each.last, places_[one]);
      }
    }
  }

  /// Makes of each vertex the set of candidates before it, those from `begin` to `end`.
  bool carry(std::vector<set_of_some>& before, std::size_t begin, std::size_t end) {
    // None of them is before what stands before the first.
    for (std::size_t at = begin == 0 ? 0 : candidates_[begin - bits]; at < candidates_[begin]; ++at)
      before[sorted_[at]] = {};
    for (std::size_t at = candidates_[begin]; at < sorted_.size(); ++at) {
      const number to = sorted_[at];
      set_of_some& made = before[to];
      made = {};
      for (const number from : of_.before[to]) {
        for (std::size_t i = 0; i < words; ++i) made[i] |= before[from][i];
        const number place = places_[from];
        if (place != none && place >= begin && place < end)
          made[(place - begin) / 64] |= std::uint64_t{1} << ((place - begin) % 64);
      }
      looks_ += of_.before[to].size();
      if (looks_ > limits::course_looks) return false;
    }
    return true;
  }

  void judge(judged_list& each, const std::vector<set_of_some>& before, std::size_t begin,
             std::size_t end) {
    set_of_some all{};
    for (const number one : *each.of) {
      for (std::size_t i = 0; i < words; ++i) all[i] |= before[one][i];
    }
    looks_ += each.of->size();
    for (std::size_t i = 0; i < each.of->size(); ++i) {
      const number place = places_[(*each.of)[i]];
      if (place < begin || place >= end) continue;
      if ((all[(place - begin) / 64] >> ((place - begin) % 64) & 1U) != 0)
        each.is_before_another[i] = true;
    }
  }

  const group_graph& of_;
  std::vector<std::shared_ptr<list>> lists_;
  list sorted_, places_, candidates_;  // candidates are places in `sorted_`
  std::vector<judged_list> judged_;
  std::size_t looks_ = 0;
};

}  // namespace

std::optional<nearest_lists> nearest_before(const group_graph& of) { return nearest{of}.find(); }

}  // namespace tofud::order
