// Stacks as data: what `GET /v1/stacks` and `GET /v1/stacks/NAME` answer.
#pragma once

#include "daemon/wall/stack_summary.hpp"

#include <string>
#include <string_view>

namespace tofud {

/// One object, without a newline.
std::string to_json(const wall::stack_summary& of);

/// Many of them, each drawn when it is added.
class stacks_text {
 public:
  /// `{"stacks":[…],"next":…}`; or a row for each under a row of names, in which nothing is a
  /// formula for a spreadsheet.
  enum class form : bool { json, csv };
  explicit stacks_text(form as);
  void add(const wall::stack_summary& one);
  /// `next`: the name to go on after; empty: that was all. A table has no place for it.
  std::string end(std::string_view next) &&;

 private:
  form as_;
  std::string text_;
  bool is_first_ = true;
};

}  // namespace tofud
