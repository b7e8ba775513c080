// Colour codes in the manner of OpenTofu.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::text {

enum class style : std::uint8_t { reset, bold, underline, red, green, yellow, cyan, dark_gray };

/// Gives the code of a style where colours are wanted, else nothing. OpenTofu ends every coloured
/// piece with a reset, and every phrase that has coloured pieces with one more; the one that ends
/// a phrase is written where the phrase ends, perhaps behind a newline.
class ink {
 public:
  enum class colours : bool { no, yes };
  explicit ink(colours wanted) : wanted_{wanted} {}

  std::string_view operator[](style wanted) const;

 private:
  colours wanted_;
};

}  // namespace tofud::text
