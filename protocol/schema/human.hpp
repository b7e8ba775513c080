// Schemas as people read them.
#pragma once

#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::schema {

/// A type as OpenTofu's language writes it: `list(string)`, `object({ port = number })`, `any`.
std::string type_text(const type& of);

/// Such as "data source".
std::string_view text_of(section of);

/// Such as "list of objects", of an attribute, and "list of blocks".
std::string_view text_of(nesting of);
std::string_view block_text_of(nesting of);

/// One schema under `title` (a line): what it is for, then each attribute and block with its type,
/// its flags and what is said of it, broken before `width` characters, and what is nested below it.
/// Control characters are pictures. Ends with a newline.
std::string describe(std::string_view title, const object_schema& of, std::size_t width);

}  // namespace tofud::schema
