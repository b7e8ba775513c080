#include "protocol/diff/set_pairing.hpp"

#include "protocol/diff/value_numbers.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tofud::diff {
namespace {

using json::value;

value at(const std::vector<value>& all, std::size_t index) {
  return index < all.size() ? all[index] : value{};
}

}  // namespace

void pair_set(const list_sides& between, const pair_sink& pair) {
  const auto& before = between.before();
  const auto& after = between.after();
  value_numbers numbers;
  // By what elements are and whether they are sensitive.
  const auto group_of = [&](value each, value sensitive) {
    return std::uint64_t{numbers.of(each)} * 2 + (is_true(sensitive) ? 1 : 0);
  };
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> known;
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (is_true(at(between.unknown(), k))) continue;
    known[group_of(after[k], at(between.after_sensitive(), k))].push_back(k);
  }
  std::vector<bool> taken(after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto group = known.find(group_of(before[i], at(between.before_sensitive(), i)));
    if (group == known.end()) {
      pair(i, after.size());
      continue;
    }
    // Sets have no two equal elements, but what is unknown in them may be all that tells them
    // apart. The last of these is the pair, and the others are not told.
    for (const std::size_t k : group->second) taken[k] = true;
    pair(i, group->second.back());
    known.erase(group);
  }
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!taken[k]) pair(before.size(), k);
  }
}

}  // namespace tofud::diff
