// Texts without the values that nobody is to see.
#pragma once

#include "protocol/redact/finder.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::redact {

/// What stands in their place: the word OpenTofu has for it.
inline constexpr std::string_view hidden = "(sensitive value)";

/// Remembers a buffer.
class hider {
 public:
  explicit hider(std::shared_ptr<const ready_rules> what) : finder_{std::move(what)} {}

  /// The text itself if nothing is to be hidden in it, else one that is valid until the next call.
  std::string_view text(std::string_view from);
  /// Where in the text that was made last the byte `at` of its source stands.
  std::size_t moved(std::size_t at) const;
  /// The same of JSON, which stays so: numbers with such a value become strings.
  std::string_view json(std::string_view from);
  /// True if it has changed.
  bool hide(std::string& text);
  bool hide_json(std::string& text);

 private:
  void append(std::string_view from);
  std::size_t append_string(std::string_view from, std::size_t at);

  finder finder_;
  std::string made_;
  std::vector<part> parts_;  // of the last text
};

}  // namespace tofud::redact
