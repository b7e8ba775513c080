// In a graph, what is before each vertex with nothing else between.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tofud::order {

/// Vertices by number. Hubs are passed through.
struct group_graph {
  std::vector<std::span<const std::uint32_t>> before, after;
  std::vector<bool> is_hub;
};

/// Of a vertex those before it that are before no other such; vertices may share one list. Null:
/// there is a circle before it.
using nearest_lists = std::vector<std::shared_ptr<const std::vector<std::uint32_t>>>;

/// Nothing: it needs more looks than limits::course_looks. Looks are those at a set of 512
/// vertices: about the edges, times the vertices, by a thousand.
std::optional<nearest_lists> nearest_before(const group_graph& of);

}  // namespace tofud::order
