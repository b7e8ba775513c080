// A line of the stream that says more than its row.
#pragma once

#include "protocol/schema/schema.hpp"
#include "protocol/ui/parse_message.hpp"

#include <string_view>

namespace tofud::redact {

/// What stands in the place of such a line: a message that says so. Without a newline.
std::string_view withheld_line();

/// Whether a line, without its newline, is a diagnostic whose row has less of the source: values
/// for sensitive attributes (hide_sensitive; `known` null: no schemas), or the other blocks of a
/// generated file (redraw_generated). `parser` is only lent: it keeps its buffers.
bool says_more_than_its_row(std::string_view line, const schema::schemas* known,
                            ui::message_parser& parser);

}  // namespace tofud::redact
