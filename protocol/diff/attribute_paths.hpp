// Paths of attributes, as `replace_paths` and `relevant_attributes` of a plan hold them.
#pragma once

#include "protocol/json/document.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace tofud::diff {

/// Those of some paths that go through one place in a value. `child` goes a step further. Views
/// into the document of the paths.
class attribute_paths {
 public:
  /// No path at all.
  attribute_paths() = default;
  /// Steps are strings and numbers; anything else in `arrays` matches nothing.
  static attribute_paths of(const std::vector<json::value>& arrays);
  /// Goes through every place.
  static attribute_paths everywhere();

  /// Whether a path ends exactly here.
  bool end_here() const;
  /// Whether a path goes through here, or ended before: then all below it is meant.
  bool meet() const { return everywhere_ || !at_.empty(); }

  attribute_paths child(std::string_view key) const;
  attribute_paths child(std::size_t index) const;

 private:
  using path = std::vector<json::value>;
  struct position {
    const path* of;
    std::size_t step;
  };

  template <class Fits>
  attribute_paths next(Fits fits) const;

  std::shared_ptr<const std::vector<path>> all_;
  std::vector<position> at_;
  bool everywhere_ = false;
};

}  // namespace tofud::diff
