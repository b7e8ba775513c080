// The resources of runs as a table for spreadsheets.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <string>
#include <vector>

namespace tofud::exports {

/// RFC 4180 (CRLF, quotes where needed) with a line of column names. A field that a spreadsheet
/// would take for a formula gets a leading apostrophe (OWASP: CSV injection).
std::string csv(const std::vector<run_rows>& runs);

/// One line of such a table; the first field is not empty, or the line would look like none.
void append_csv_line(std::string& out, const std::vector<std::string>& fields);

}  // namespace tofud::exports
