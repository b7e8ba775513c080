// An order by blocks instead of instances: small enough to be looked at.
#pragma once

#include "protocol/order/order.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::order {

/// What an apply does to the instances of one block.
struct block_step {
  std::string block;      // its address, without keys
  std::string_view does;  // "make", "remove", or "remove_deposed" for what is left over
  std::size_t operations = 0;
  /// By number: the steps before it with no other between. Null: they are in a circle, since
  /// instances of two blocks wait for each other.
  std::shared_ptr<const std::vector<std::uint32_t>> before;
};

/// In the order in which each has its first operation. Nothing: it needs more looks than
/// limits::course_looks, or has more edges than limits::block_edges.
std::optional<std::vector<block_step>> by_blocks(const order& of);

/// One object and a newline:
/// {"format":"tofud.order.v1","steps":[{"block":"aws_vpc.main","does":"make","operations":1,
/// "before":[]},…]}
/// Of nothing there are no steps, and `problem` is a sentence.
std::string to_json(const std::optional<std::vector<block_step>>& of);

}  // namespace tofud::order
