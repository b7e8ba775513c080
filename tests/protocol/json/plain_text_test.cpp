#include "protocol/json/plain_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::json {
namespace {

std::size_t plain_in(const std::string& text) {
  return static_cast<std::size_t>(end_of_plain(text.data(), text.data() + text.size()) -
                                  text.data());
}

// Sixteen bytes are looked at together, then eight, then what is left.
constexpr std::size_t longest = 40;

TEST(PlainText, EndsAtTheFirstByteThatNeedsALookWhereverItStands) {
  for (std::size_t size = 1; size <= longest; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(byte);
        const bool plain = byte_classes[static_cast<std::size_t>(byte)] == byte_class::plain;
        ASSERT_EQ(plain_in(text), plain ? size : at) << size << " bytes, " << byte << " at " << at;
      }
    }
  }
}

TEST(PlainText, WhatStandsBehindTheFirstOneIsNotSeen) {
  for (std::size_t size = 2; size <= longest; ++size) {
    for (std::size_t at = 0; at + 1 < size; ++at) {
      std::string text(size, '~');
      text[at] = '"';
      for (std::size_t i = at + 1; i < size; ++i)
        text[i] = static_cast<char>(i % 2 == 0 ? 0xff : 0);
      ASSERT_EQ(plain_in(text), at) << size;
    }
  }
}

TEST(PlainText, NothingHasNone) { EXPECT_EQ(plain_in(""), 0U); }

}  // namespace
}  // namespace tofud::json
