// UTF-8 text as characters, and what Unicode says of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::text {

/// One character of a text. A byte that is no UTF-8 is a character of its own, with `valid` false.
struct character {
  std::string_view bytes;
  std::int32_t point = 0;
  bool valid = true;
};

/// The character `text` begins with; `text` is not empty. A view into it.
character first_character(std::string_view text);

/// Number of characters; combining ones count, as in Go's counting of runes.
std::size_t count_characters(std::string_view text);

/// White space by Unicode, as Go's `unicode.IsSpace` has it.
bool is_space(std::int32_t point);

/// Without white space at both ends.
std::string_view trim(std::string_view text);

/// Quoted as Go's `%q` does, which is how OpenTofu writes strings: what can't be printed is
/// escaped.
std::string quoted(std::string_view text);

/// Whether OpenTofu's language takes `name` as a name without quotes.
bool is_identifier(std::string_view name);

/// Control characters (C0 but tab, newline and carriage return, and DEL) become their pictures,
/// such as U+241B for ESC: what OpenTofu does to text on its way to people. If there is one, bytes
/// that are no UTF-8 become U+FFFD; else the text stays as it is.
std::string control_pictures(std::string_view text);

/// Appends a character as UTF-8.
void append_utf8(std::string& out, std::int32_t point);

}  // namespace tofud::text
