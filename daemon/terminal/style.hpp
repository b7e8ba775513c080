// How text of ours looks: its colours and its characters.
#pragma once

#include "daemon/terminal/colour.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::terminal {

enum class charset : std::uint8_t { utf8, ascii };

/// By the locale: the first of LC_ALL, LC_CTYPE and LANG that is not empty.
charset charset_of(const environment& env);

/// UTF-8 in what a terminal understands. Without UTF-8 marks of ours become ASCII ("✓" is "ok"),
/// any other character "?": on such a terminal the bytes of a letter may well be a control
/// character.
std::string in_charset(std::string_view text, charset set);

enum class hue : std::uint8_t { none, red, green, yellow, cyan, dim, bold };

/// Meaning is never in the colour alone.
struct style {
  bool coloured = false;
  charset set = charset::utf8;

  std::string paint(hue colour, std::string_view text) const;
  /// The same, onto `out`.
  void paint(std::string& out, hue colour, std::string_view text) const;
  std::string_view dot() const { return set == charset::utf8 ? " · " : " - "; }
  std::string_view cut() const { return set == charset::utf8 ? "…" : "..."; }
};

/// Text from outside for one line: without what could steer a terminal, newlines and tabs as
/// spaces.
std::string one_line(std::string_view text);
void append_one_line(std::string& out, std::string_view text);

}  // namespace tofud::terminal
