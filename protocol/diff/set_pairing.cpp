#include "protocol/diff/set_pairing.hpp"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tofud::diff {
namespace {

using json::kind;
using json::value;

value at(const std::vector<value>& all, std::size_t index) {
  return index < all.size() ? all[index] : value{};
}

// Equal values have equal texts.
void append_hashed(std::string& out, value of) {
  if (of.is(kind::object)) {
    out.push_back('{');
    const members inside{of};
    for (const value each : inside.all()) {
      if (is_nil(each)) continue;
      out.append(each.key()).push_back(':');
      append_hashed(out, each);
    }
    out.push_back('}');
    return;
  }
  if (of.is(kind::array)) {
    out.push_back('[');
    for (const value each : of) append_hashed(out, each);
    out.push_back(']');
    return;
  }
  out.append(is_nil(of) ? "null" : of.text()).push_back(',');
}

std::size_t hash_of(value of) {
  std::string text;
  append_hashed(text, of);
  return std::hash<std::string>{}(text);
}

}  // namespace

void pair_set(const list_sides& between, const pair_sink& pair) {
  const auto& before = between.before();
  const auto& after = between.after();
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_hash;
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!is_true(at(between.unknown(), k))) by_hash[hash_of(after[k])].push_back(k);
  }
  std::vector<bool> taken(after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::size_t other = after.size();
    for (const std::size_t k : by_hash[hash_of(before[i])]) {
      if (taken[k] || !equal(before[i], after[k]) ||
          is_true(at(between.before_sensitive(), i)) != is_true(at(between.after_sensitive(), k)))
        continue;
      // Sets have no two equal elements, but what is unknown in them may be all that tells them
      // apart. The last of these is the pair, and the others are not told.
      other = k;
      taken[k] = true;
    }
    pair(i, other);
  }
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (!taken[k]) pair(before.size(), k);
  }
}

}  // namespace tofud::diff
