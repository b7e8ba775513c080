#include "protocol/config/text_lines.hpp"

#include "protocol/text/characters.hpp"

#include <algorithm>

namespace tofud::config {

text_lines::text_lines(std::string_view text) : text_{text}, begins_{byte_order_mark(text)} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') begins_.push_back(i + 1);
  }
}

position text_lines::at(std::size_t offset) {
  offset = std::max(std::min(offset, text_.size()), begins_.front());
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  const std::size_t begin = *(after - 1);
  if (begin != counted_from_ || offset < counted_to_) {
    counted_from_ = counted_to_ = begin;
    counted_ = 0;
  }
  counted_ += text::count_characters(text_.substr(counted_to_, offset - counted_to_));
  counted_to_ = offset;
  return {static_cast<std::uint32_t>(after - begins_.begin()),
          static_cast<std::uint32_t>(counted_ + 1)};
}

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

}  // namespace tofud::config
