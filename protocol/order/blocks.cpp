#include "protocol/order/blocks.hpp"

#include "protocol/json/quote.hpp"
#include "protocol/order/limits.hpp"
#include "protocol/order/nearest.hpp"
#include "protocol/ui/resource_address.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <utility>

namespace tofud::order {
namespace {

std::string_view word(const operation& what) {
  if (what.what == effect::make) return "make";
  return what.deposed.empty() ? "remove" : "remove_deposed";
}

/// The steps, then the hubs, in one numbering.
struct numbered {
  std::vector<block_step> steps;
  std::vector<std::uint32_t> of;  // by vertex
  std::size_t size = 0;
};

numbered number_all(const order& of) {
  numbered made;
  made.of.resize(of.size());
  boost::unordered_flat_map<std::string, std::uint32_t> known;
  for (const vertex each : of.operations()) {
    const operation& what = *of.at(each);
    std::string block = ui::without_keys(what.address).value_or(what.address);
    std::string key{word(what)};
    key.append(" ").append(block);
    const auto [place, added] =
        known.try_emplace(std::move(key), static_cast<std::uint32_t>(made.steps.size()));
    if (added) made.steps.push_back({std::move(block), word(what), 0, nullptr});
    ++made.steps[place->second].operations;
    made.of[each] = place->second;
  }
  made.size = made.steps.size();
  for (vertex each = 0; each < of.size(); ++each) {
    if (of.at(each) == nullptr) made.of[each] = static_cast<std::uint32_t>(made.size++);
  }
  return made;
}

using lists = std::vector<std::vector<std::uint32_t>>;

/// What is before each, once.
lists befores(const order& of, const numbered& all) {
  lists before(all.size);
  for (vertex each = 0; each < of.size(); ++each) {
    const std::uint32_t to = all.of[each];
    for (const vertex first : of.before(each)) {
      if (all.of[first] != to) before[to].push_back(all.of[first]);
    }
  }
  for (auto& each : before) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return before;
}

}  // namespace

std::optional<std::vector<block_step>> by_blocks(const order& of) {
  numbered all = number_all(of);
  const lists before = befores(of, all);
  lists after(all.size);
  for (std::uint32_t to = 0; to < before.size(); ++to) {
    for (const std::uint32_t from : before[to]) after[from].push_back(to);
  }
  group_graph graph;
  graph.before.assign(before.begin(), before.end());
  graph.after.assign(after.begin(), after.end());
  graph.is_hub.assign(all.size, true);
  std::fill_n(graph.is_hub.begin(), all.steps.size(), false);
  const auto nearest = nearest_before(graph);
  if (!nearest) return std::nullopt;
  std::size_t edges = 0;
  for (std::size_t at = 0; at < all.steps.size(); ++at) {
    all.steps[at].before = (*nearest)[at];
    if (all.steps[at].before) edges += all.steps[at].before->size();
    if (edges > limits::block_edges) return std::nullopt;
  }
  return std::move(all.steps);
}

std::string to_json(const std::optional<std::vector<block_step>>& of) {
  std::string out = "{\"format\":\"tofud.order.v1\",\"steps\":[";
  if (!of) {
    out.append("],\"problem\":");
    json::append_quoted(out, "too much waits for too much to be drawn (limit: " +
                                 std::to_string(limits::block_edges) + " edges between blocks)");
    return out.append("}\n");
  }
  for (const block_step& each : *of) {
    out.append(out.back() == '[' ? "\n{\"block\":" : ",\n{\"block\":");
    json::append_quoted(out, each.block);
    out.append(",\"does\":\"").append(each.does).append("\",\"operations\":");
    out.append(std::to_string(each.operations)).append(",\"before\":[");
    if (each.before) {
      for (const std::uint32_t before : *each.before) {
        if (out.back() != '[') out.push_back(',');
        out.append(std::to_string(before));
      }
    }
    out.append("]}");
  }
  return out.append("]}\n");
}

}  // namespace tofud::order
