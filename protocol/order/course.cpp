#include "protocol/order/course.hpp"

#include "protocol/order/limits.hpp"
#include "protocol/order/nearest.hpp"
#include "protocol/ui/resource_address.hpp"

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace tofud::order {
namespace {

/// What makes operations wait for the same, and the same wait for them.
struct signature {
  std::uint32_t block;
  std::vector<vertex> before, after;
  bool operator==(const signature&) const = default;
  friend std::size_t hash_value(const signature& of) {
    std::size_t seed = of.block;
    boost::hash_combine(seed, of.before);
    boost::hash_combine(seed, of.after);
    return seed;
  }
};

std::vector<vertex> sorted(std::span<const vertex> some) {
  std::vector<vertex> all{some.begin(), some.end()};
  std::sort(all.begin(), all.end());
  return all;
}

/// A name, and where it stands among others.
struct placed_name {
  std::uint32_t place;
  std::string_view name;
  bool of_block;
};

feed::named_operations told(std::vector<placed_name>&& names) {
  std::sort(names.begin(), names.end(), [](const placed_name& one, const placed_name& other) {
    return std::tie(one.place, one.of_block) < std::tie(other.place, other.of_block);
  });
  // An address whose old object and whose new one are among them is one name.
  names.erase(std::unique(names.begin(), names.end(),
                          [](const placed_name& one, const placed_name& other) {
                            return one.of_block == other.of_block && one.name == other.name;
                          }),
              names.end());
  feed::named_operations made;
  made.more = names.size() - std::min(names.size(), limits::causes_named);
  names.resize(std::min(names.size(), limits::causes_named));
  for (const placed_name& each : names)
    made.names.push_back(std::string{each.name}.append(each.of_block ? "[*]" : ""));
  return made;
}

}  // namespace

course::course(const order& of) : of_{of}, groups_of_(of.size()) {
  number_operations();
  make_groups();
  connect_groups();
  find_waits();
}

bool course::given_up() const { return cut_.size() > limits::contradictions; }

void course::number_operations() {
  blocks_.resize(of_.size());
  addresses_.resize(of_.size());
  places_.resize(of_.size());
  boost::unordered_flat_map<std::string, std::uint32_t> blocks;
  boost::unordered_flat_map<std::string_view, std::uint32_t, std::hash<std::string_view>> addresses;
  std::uint32_t ordinal = 0;
  for (const vertex each : of_.operations()) {
    const operation& what = *of_.at(each);
    addresses_[each] = addresses.try_emplace(what.address, ordinal).first->second;
    const auto [block, added] =
        blocks.try_emplace(ui::without_keys(what.address).value_or(what.address),
                           static_cast<std::uint32_t>(block_names_.size()));
    if (added) {
      block_names_.push_back(block->first);
      block_firsts_.push_back(ordinal);
    }
    blocks_[each] = block->second;
    ++ordinal;
  }
}

void course::make_groups() {
  boost::unordered_flat_map<signature, group> known;
  for (vertex each = 0; each < of_.size(); ++each) {
    const bool is_hub = of_.at(each) == nullptr;
    auto found = static_cast<group>(groups_.size());
    if (!is_hub) {
      signature of{blocks_[each], sorted(of_.before(each)), sorted(of_.after(each))};
      found = known.try_emplace(std::move(of), found).first->second;
    }
    if (found == groups_.size()) groups_.emplace_back();
    groups_of_[each] = found;
    if (is_hub) continue;
    waiting_group& to = groups_[found];
    to.is_hub = false;
    to.block = blocks_[each];
    places_[each] = static_cast<std::uint32_t>(to.unfinished.size());
    to.unfinished.push_back(each);
  }
}

void course::connect_groups() {
  std::vector<vertex> first_of(groups_.size(), no_vertex);
  for (vertex each = 0; each < of_.size(); ++each) {
    if (first_of[groups_of_[each]] == no_vertex) first_of[groups_of_[each]] = each;
  }
  std::vector<group> connected(groups_.size(), ~group{0});
  for (group to = 0; to < groups_.size(); ++to) {
    // All of a group have the same before them.
    for (const vertex before : of_.before(first_of[to])) {
      const group from = groups_of_[before];
      if (std::exchange(connected[from], to) == to) continue;
      groups_[to].before.push_back(from);
      groups_[from].after.push_back(to);
    }
  }
  memory_ = groups_.size() * sizeof(waiting_group) + of_.size() * 6 * sizeof(vertex) +
            of_.edges() * 4 * sizeof(vertex);
}

void course::find_waits() {
  group_graph graph;
  graph.before.reserve(groups_.size());
  graph.is_hub.reserve(groups_.size());
  for (const waiting_group& each : groups_) {
    graph.before.emplace_back(each.before);
    graph.after.emplace_back(each.after);
    graph.is_hub.push_back(each.is_hub);
  }
  const auto found = nearest_before(graph);
  too_large_ = !found;
  if (too_large_) return;
  boost::unordered_flat_map<const std::vector<group>*, std::uint32_t> known;
  for (group each = 0; each < groups_.size(); ++each) {
    if (groups_[each].is_hub || !found->at(each)) continue;
    const auto [place, added] =
        known.try_emplace(found->at(each).get(), static_cast<std::uint32_t>(sets_.size()));
    if (added) add_set(*found->at(each));
    groups_[each].known = true;
    groups_[each].waits = place->second;
    sets_[place->second].waiters.push_back(each);
  }
}

void course::add_set(const std::vector<group>& nearest) {
  const auto number = static_cast<std::uint32_t>(sets_.size());
  waited_set& made = sets_.emplace_back();
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> places;
  for (const group each : nearest) {
    waiting_group& before = groups_[each];
    const auto [place, added] =
        places.try_emplace(before.block, static_cast<std::uint32_t>(made.blocks.size()));
    if (added) made.blocks.push_back({before.block, 0, {}});
    block_left& block = made.blocks[place->second];
    block.groups.push_back(each);
    block.left += static_cast<std::uint32_t>(before.unfinished.size());
    made.left += before.unfinished.size();
    before.waited_by.emplace_back(number, place->second);
    memory_ += 2 * sizeof(group) + sizeof(before.waited_by.front());
  }
  made.blocks_left = static_cast<std::uint32_t>(made.blocks.size());
  memory_ += sizeof(waited_set);
}

// ---- what happens -------------------------------------------------------------------------------

bool course::begin(vertex operation) {
  const group of = groups_of_[operation];
  const waiting_group& begun = groups_[of];
  if (!begun.known || begun.is_cut || (sets_[begun.waits].left == 0 && begun.failed.empty()))
    return true;
  cut_off(of);
  return false;
}

void course::finish(vertex operation) {
  waiting_group& of = groups_[groups_of_[operation]];
  const std::uint32_t place = places_[operation];
  places_[of.unfinished.back()] = place;
  of.unfinished[place] = of.unfinished.back();
  of.unfinished.pop_back();
  for (const auto& [which, slot] : of.waited_by) {
    waited_set& waits = sets_[which];
    const bool was_many = waits.blocks_left > limits::blocks_told;
    const auto digits = std::bit_width(waits.left);
    block_left& block = waits.blocks[slot];
    --waits.left;
    if (--block.left == 0) --waits.blocks_left;
    const bool is_many = waits.blocks_left > limits::blocks_told;
    const bool is_seen = was_many != is_many || (is_many ? digits != std::bit_width(waits.left)
                                                         : block.left <= limits::blockers_named);
    if (!is_seen) continue;
    waits.is_stale = true;
    for (const group each : waits.waiters) {
      // Of what is behind a failure nothing is said of waiting.
      if (!groups_[each].is_cut && groups_[each].failed.empty()) mark(each);
    }
  }
}

void course::fail(vertex operation) {
  failures_.push_back(operation);
  spread_failure(operation);
}

void course::cut_off(group which) {
  cut_.push_back(which);
  waiting_group& of = groups_[which];
  of.is_cut = true;
  mark(which);
  if (of.failed.empty()) return;
  // What is behind it may be behind a failure through it alone.
  for (group each = 0; each < groups_.size(); ++each) {
    if (groups_[each].failed.empty()) continue;
    groups_[each].failed.clear();
    mark(each);
  }
  for (const vertex each : failures_) spread_failure(each);
}

void course::mark(group which) {
  waiting_group& of = groups_[which];
  of.is_stale = true;
  if (of.is_hub || std::exchange(of.is_changed, true)) return;
  changed_.push_back(which);
}

std::vector<group> course::take_changed() {
  for (const group each : changed_) groups_[each].is_changed = false;
  return std::exchange(changed_, {});
}

/// False: it says nothing new there, and so neither in what is behind that.
bool course::add_failure(waiting_group& to, vertex failed) const {
  const std::uint32_t block = blocks_[failed];
  const auto known = std::find_if(to.failed.begin(), to.failed.end(),
                                  [&](const failed_block& each) { return each.block == block; });
  if (known == to.failed.end()) {
    if (to.failed.size() >= limits::blocks_told) return false;
    to.failed.push_back({block, {failed}});
    return true;
  }
  auto& all = known->operations;
  if (all.size() > limits::blockers_named || std::find(all.begin(), all.end(), failed) != all.end())
    return false;
  all.push_back(failed);
  return true;
}

void course::spread_failure(vertex failed) {
  std::vector<group> open{groups_of_[failed]};
  while (!open.empty()) {
    const group from = open.back();
    open.pop_back();
    for (const group to : groups_[from].after) {
      if (groups_[to].is_cut || !add_failure(groups_[to], failed)) continue;
      mark(to);
      open.push_back(to);
    }
  }
}

// ---- what is told -------------------------------------------------------------------------------

const feed::named_operations* course::waiting_for(group which) {
  const waiting_group& of = groups_[which];
  if (!of.known || of.is_cut || !of.failed.empty() || given_up()) return nullptr;
  waited_set& waits = sets_[of.waits];
  if (std::exchange(waits.is_stale, false)) waits.told = named(waits);
  return &waits.told;
}

const feed::named_operations* course::behind(group which) {
  waiting_group& of = groups_[which];
  if (of.failed.empty() || given_up()) return nullptr;
  if (!of.behind) of.behind = std::make_unique<feed::named_operations>();
  if (std::exchange(of.is_stale, false)) *of.behind = named(of.failed);
  return of.behind.get();
}

feed::named_operations course::named(waited_set& waits) {
  if (waits.blocks_left > limits::blocks_told)
    return feed::named_operations{{}, std::bit_floor(waits.left)};
  std::vector<placed_name> names;
  for (block_left& block : waits.blocks) {
    if (block.left == 0) continue;
    if (block.left > limits::blockers_named) {
      names.push_back({block_firsts_[block.block], block_names_[block.block], true});
      continue;
    }
    std::erase_if(block.groups, [this](group each) { return groups_[each].unfinished.empty(); });
    for (const group each : block.groups) {
      for (const vertex left : groups_[each].unfinished)
        names.push_back({addresses_[left], of_.at(left)->address, false});
    }
  }
  return told(std::move(names));
}

feed::named_operations course::named(const std::vector<failed_block>& failed) const {
  std::vector<placed_name> names;
  for (const failed_block& block : failed) {
    if (block.operations.size() > limits::blockers_named) {
      names.push_back({block_firsts_[block.block], block_names_[block.block], true});
      continue;
    }
    for (const vertex each : block.operations)
      names.push_back({addresses_[each], of_.at(each)->address, false});
  }
  return told(std::move(names));
}

std::optional<std::uint64_t> course::strands(vertex operation) {
  boost::unordered_flat_set<group> seen;
  boost::unordered_flat_set<std::uint32_t> stranded;
  std::vector<group> open{groups_of_[operation]};
  while (!open.empty()) {
    const group from = open.back();
    open.pop_back();
    for (const group to : groups_[from].after) {
      if (groups_[to].is_cut || !seen.insert(to).second) continue;
      strand_looks_ += 1 + groups_[to].unfinished.size();
      if (strand_looks_ > limits::course_looks) return std::nullopt;
      for (const vertex each : groups_[to].unfinished) stranded.insert(addresses_[each]);
      open.push_back(to);
    }
  }
  stranded.erase(addresses_[operation]);
  return stranded.size();
}

}  // namespace tofud::order
