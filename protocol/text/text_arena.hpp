// Text that is kept together and let go together.
#pragma once

#include "protocol/text/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

namespace tofud::text {

/// Blocks never move: a view into them lasts until `clear` or the end of the arena.
class text_arena {
 public:
  text_arena() = default;
  text_arena(text_arena&&) = default;
  text_arena& operator=(text_arena&&) = default;
  text_arena(const text_arena&) = delete;
  text_arena& operator=(const text_arena&) = delete;

  std::string_view keep(std::string_view text) {
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
      blocks_.emplace_back().reserve(std::max<std::size_t>(text.size(), limits::arena_block_bytes));
    }
    std::string& block = blocks_.back();
    const std::size_t start = block.size();
    kept_ += text.size();
    block.append(text);
    return std::string_view{block}.substr(start);
  }

  /// Bytes of text since the start or `clear`.
  std::size_t size() const { return kept_; }

  /// Forgets everything but one block of ordinary size, for what comes next.
  void clear() {
    kept_ = 0;
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    if (blocks_.empty()) return;
    if (blocks_.back().capacity() > limits::mib)
      blocks_.pop_back();
    else
      blocks_.back().clear();
  }

 private:
  std::deque<std::string> blocks_;
  std::size_t kept_ = 0;
};

}  // namespace tofud::text
