// What schemas know of the attribute that a diagnostic names, for people.
#pragma once

#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/ink.hpp"

#include <cstddef>
#include <string>

namespace tofud::diagnostics {

/// Lines, each with its newline:
///
///       port (number, required): Port to listen on.
///         default 5432 · validators int64validator.Between(1, 65535) · a change requires
///         replacement
///
/// `width` is in characters; 0: no wrapping.
std::string draw(const feed::attribute_card& attribute, const text::ink& pen, std::size_t width,
                 const text_filter& filter);

}  // namespace tofud::diagnostics
