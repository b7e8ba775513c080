// Numbers for JSON values by which they are compared: equal ones have the same.
#pragma once

#include "protocol/json/document.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tofud::diff {

/// Looks at each value once, so that comparing many pairs of them costs as much as comparing
/// integers. Equal is what sides.hpp calls so.
class value_numbers {
 public:
  std::uint32_t of(json::value each);
  std::vector<std::uint32_t> of_all(const std::vector<json::value>& all);

 private:
  void append(json::value each);

  std::string text_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::uint32_t last_ = 0;
};

}  // namespace tofud::diff
