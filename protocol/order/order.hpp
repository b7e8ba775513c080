// The operations of an apply and what comes before what: a graph whose edges lead through hubs, so
// that a thousand instances behind a thousand others cost two thousand edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::order {

/// `remove` also of the old object of one that is replaced.
enum class effect : std::uint8_t { make, remove };

/// What an apply does at once.
struct operation {
  std::string address;  // of the instance
  effect what = effect::make;
  std::string deposed = {};  // key of the object that is removed; empty: the current one
  /// What people call it: "create", "update", "read", "delete".
  std::string_view action = "create";
};

using vertex = std::uint32_t;
inline constexpr vertex no_vertex = ~vertex{0};

/// Where an edge comes from.
enum class origin : std::uint8_t { configuration, state, plan };

/// Operations and hubs, and edges between them. Hubs stand for blocks, modules and groups: they are
/// passed through. Passive; grows only.
class order {
 public:
  /// Room for so many operations.
  void reserve(std::size_t operations);
  vertex add(operation what);
  /// `name` is what it is of, for people.
  vertex add_hub(std::string name = {});
  /// Once each; of two origins the first counts.
  void connect(vertex before, vertex after, origin from);

  std::size_t size() const { return vertices_.size(); }
  std::size_t edges() const { return edges_; }
  /// Null: it is a hub.
  const operation* at(vertex of) const;
  /// Of a hub; empty: it has none.
  std::string_view name(vertex of) const { return vertices_[of].name; }
  std::span<const vertex> before(vertex of) const { return vertices_[of].before; }
  std::span<const vertex> after(vertex of) const { return vertices_[of].after; }
  std::optional<origin> origin_of(vertex before, vertex after) const;
  /// In the order in which they were added.
  const std::vector<vertex>& operations() const { return operations_; }

 private:
  struct node {
    std::uint32_t operation = no_vertex;  // into `all_`
    std::string name;                     // of a hub
    std::vector<vertex> before, after;
    std::vector<origin> origins;  // of `before`
  };
  std::vector<node> vertices_;
  std::vector<operation> all_;
  std::vector<vertex> operations_;
  std::size_t edges_ = 0;
};

}  // namespace tofud::order
