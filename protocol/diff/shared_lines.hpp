// Whether two texts of several lines have a line in common.
#pragma once

#include "protocol/json/document.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::diff {

/// Of two lists that are walked from their beginnings to their ends: remembers the lines of the
/// newest element on each side, so that all questions together cost what the lists have.
class shared_lines {
 public:
  /// Both lists outlive it.
  shared_lines(const std::vector<json::value>& before, const std::vector<json::value>& after)
      : before_{before}, after_{after} {}

  /// Texts of several lines are compared line by line if they share one.
  bool are_in(std::size_t before, std::size_t after);

 private:
  using lines = boost::unordered_flat_set<std::string_view>;
  struct side {
    const std::vector<json::value>& all;
    std::size_t at = static_cast<std::size_t>(-1);
    lines found{};
    const lines& of(std::size_t element);
  };
  side before_, after_;
};

}  // namespace tofud::diff
