// What a topic of the fan-out needs to know of the rows it orders: their facts for filters and
// their JSON. Whoever owns the rows (the fold of a run, the wall) fills it in; the fan-out asks.
#pragma once

#include "protocol/feed/row.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace tofud::feed {

/// The fields of a row that never change in its life; filters are on these alone.
/// Views stay valid as long as the row's owner. `addr` is empty for rows without an address.
struct row_facts {
  row_kind kind = row_kind::message;
  std::string_view addr, module, type;
};

struct row_source {
  /// Appends the current version of row `row` as one JSON object, with its sequence number `seq`,
  /// without a newline.
  std::function<void(std::string& out, row_number row, sequence seq)> encode;
  /// The facts of a row.
  std::function<row_facts(row_number row)> facts;
  /// Appends the `run` view (see design: views) as one JSON object; nothing in the wall's source.
  std::function<void(std::string& out)> view;
  /// The same of a `forecast` view, which has a number as rows have, in an order of its own; and
  /// its facts. Empty: there are none.
  std::function<void(std::string& out, row_number forecast)> forecast;
  std::function<row_facts(row_number forecast)> forecast_facts;
};

/// One row that came into being or changed; `row` is new if it equals the number of rows so far.
struct row_change {
  row_number row;
  sequence seq;
};

/// No resource row belongs to this line.
inline constexpr row_number no_row = ~row_number{0};

/// One line (log or text), already encoded, without a newline. `json` and `text`, the line itself
/// as it came, are valid during the call.
struct line_change {
  row_kind kind;       // log or text
  row_number subject;  // resource row of a log line, for filters; `no_row` for text
  sequence seq;
  std::string_view json;
  std::string_view text{};  // as it came, for the terminal
};

}  // namespace tofud::feed
