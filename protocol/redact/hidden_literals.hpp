// What schemas call sensitive is not shown in the lines around a fault either.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/schema/schema.hpp"

namespace tofud::redact {

/// In the snippet a value written for a sensitive (or write-only) attribute becomes "(sensitive
/// value)", as does all that may belong to one: a line out of the middle of a value, an unknown
/// name in a block that has such attributes. References to values stay. What is said of the value
/// of such an attribute becomes "has a sensitive value", and a text that was hidden is hidden in
/// summary and detail as well if it has limits::hidden_value_bytes. True if the row differs.
bool hide_sensitive(feed::diagnostic_row& row, const schema::schemas& known);

}  // namespace tofud::redact
