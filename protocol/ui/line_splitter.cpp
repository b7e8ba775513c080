#include "protocol/ui/line_splitter.hpp"

#include "protocol/text/sizes.hpp"

#include <utility>

namespace tofud::ui {

void line_splitter::keep(std::string_view bytes) {
  if (skipped_ == 0 && held_.size() + bytes.size() <= max_line_) {
    held_.append(bytes);
    return;
  }
  skipped_ += held_.size() + bytes.size();
  held_.clear();
}

void line_splitter::go_on(std::string rest, std::uint64_t skipped) {
  held_ = std::move(rest);
  skipped_ = skipped;
}

void line_splitter::drop() {
  skipped_ = 0;
  held_.clear();
  // One huge line must not keep its memory for the rest of the run.
  if (held_.capacity() > limits::mib) held_.shrink_to_fit();
}

}  // namespace tofud::ui
