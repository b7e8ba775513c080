// How far a text may stand between quotes as it is.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tofud::json {

enum class byte_class : std::uint8_t {
  plain,    // written as it is
  escaped,  // a control character, a quote or a backslash
  beyond,   // of a character that is not ASCII
};

/// Of each byte.
inline constexpr auto byte_classes = [] {
  std::array<byte_class, 256> classes{};
  for (std::size_t c = 0; c < 0x20; ++c) classes[c] = byte_class::escaped;
  classes['"'] = classes['\\'] = byte_class::escaped;
  for (std::size_t c = 0x80; c < 0x100; ++c) classes[c] = byte_class::beyond;
  return classes;
}();

/// The first of eight bytes that is not plain, or 8: such a byte leaves its top bit set in one of
/// the differences, and none before it does.
inline int plain_of_eight(std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t each = 0x0101010101010101, tops = each * 0x80;
  const std::uint64_t controls = word - each * 0x20;
  const std::uint64_t quotes = (word ^ each * '"') - each;
  const std::uint64_t backslashes = (word ^ each * '\\') - each;
  return std::countr_zero((word | controls | quotes | backslashes) & tops) / 8;
}

/// Where the first byte from `at` on is that is not plain. Several at a time.
inline const char* end_of_plain(const char* at, const char* end) {
  const char* const begin = at;
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // As signed numbers those beyond ASCII are below the space as well.
    const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const auto looked_at = static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quotes, backslashes))));
    if (looked_at != 0) return at + std::countr_zero(looked_at);
  }
#endif
  std::uint64_t word = 0;
  for (; end - at >= 8; at += 8) {
    std::memcpy(&word, at, 8);
    if (const int plain = plain_of_eight(word); plain < 8) return at + plain;
  }
  if (at == end) return end;
  if (end - begin >= 8) {  // the last eight once more, of which the first are plain
    std::memcpy(&word, end - 8, 8);
    return end - 8 + plain_of_eight(word);
  }
  while (at != end && byte_classes[static_cast<std::uint8_t>(*at)] == byte_class::plain) ++at;
  return at;
}

}  // namespace tofud::json
