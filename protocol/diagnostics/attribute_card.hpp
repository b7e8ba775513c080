// What schemas know of the attribute that a diagnostic names.
#pragma once

#include "protocol/diff/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/schema/schema.hpp"

#include <optional>

namespace tofud::diagnostics {

/// Nothing where it is not plain which attribute (or block) is meant, or no schema has it. By the
/// path of a generated file, the marked line, the words of the texts, in that order. Texts are at
/// most limits::card_text_bytes; the default of a sensitive attribute is left out.
std::optional<feed::attribute_card> card_of(const feed::diagnostic_row& row,
                                            const schema::schemas& known);

}  // namespace tofud::diagnostics
