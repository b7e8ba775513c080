// What the loop's thread does, in words, for the case that it takes long (see loop_watch.hpp).
#pragma once

#include <chrono>
#include <concepts>
#include <string>
#include <string_view>

namespace tofud::operations {

/// Names what this thread does while it lives, for the case that it takes long. Costs two looks at
/// the clock: one for a request, a piece of a body or a flush, none for a message. What is named
/// lives as long as this.
class doing {
 public:
  /// `what` is a sentence's beginning ("folding the run"), `about` an id or a path; may be empty.
  explicit doing(std::string_view what, std::string_view about = {})
      : what_{what}, about_{about}, since_{std::chrono::steady_clock::now()} {}
  template <std::same_as<std::string> Temporary>
  doing(std::string_view what, Temporary&& about) = delete;  // it would not live as long
  ~doing();
  doing(const doing&) = delete;
  doing& operator=(const doing&) = delete;

 private:
  std::string_view what_, about_;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace tofud::operations
