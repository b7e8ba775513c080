#include "protocol/order/order.hpp"

#include <algorithm>
#include <utility>

namespace tofud::order {

void order::reserve(std::size_t operations) {
  vertices_.reserve(operations);
  all_.reserve(operations);
  operations_.reserve(operations);
}

vertex order::add(operation what) {
  const auto made = static_cast<vertex>(vertices_.size());
  vertices_.push_back({static_cast<std::uint32_t>(all_.size()), {}, {}, {}, {}});
  all_.push_back(std::move(what));
  operations_.push_back(made);
  return made;
}

vertex order::add_hub(std::string name) {
  vertices_.emplace_back().name = std::move(name);
  return static_cast<vertex>(vertices_.size() - 1);
}

void order::connect(vertex before, vertex after, origin from) {
  if (before == after) return;
  // The shorter side is looked through: hubs have few on one of theirs.
  const auto& forth = vertices_[before].after;
  const auto& back = vertices_[after].before;
  const bool known = forth.size() < back.size()
                         ? std::find(forth.begin(), forth.end(), after) != forth.end()
                         : std::find(back.begin(), back.end(), before) != back.end();
  if (known) return;
  vertices_[before].after.push_back(after);
  vertices_[after].before.push_back(before);
  vertices_[after].origins.push_back(from);
  ++edges_;
}

const operation* order::at(vertex of) const {
  const std::uint32_t number = vertices_[of].operation;
  return number == no_vertex ? nullptr : &all_[number];
}

std::optional<origin> order::origin_of(vertex before, vertex after) const {
  const node& end = vertices_[after];
  const auto found = std::find(end.before.begin(), end.before.end(), before);
  if (found == end.before.end()) return std::nullopt;
  return end.origins[static_cast<std::size_t>(found - end.before.begin())];
}

}  // namespace tofud::order
