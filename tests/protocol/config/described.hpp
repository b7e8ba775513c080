// Blocks in short, for tests: "1:1 aws_vpc.main", and what they refer to.
#pragma once

#include "protocol/config/block.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace tofud::config {

using lines = std::vector<std::string>;

inline lines described(const std::vector<block>& blocks) {
  lines found;
  for (const block& each : blocks) {
    found.push_back(std::to_string(each.at.at.line) + ':' + std::to_string(each.at.at.column) +
                    ' ' + each.address);
  }
  return found;
}

template <typename Value>
lines described(const std::vector<Value>& values) {
  lines found;
  for (const Value& each : values) {
    std::ostringstream text;
    text << each;
    found.push_back(text.str());
  }
  return found;
}

}  // namespace tofud::config
