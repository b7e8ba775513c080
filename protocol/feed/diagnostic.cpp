#include "protocol/feed/diagnostic.hpp"

namespace tofud::feed {
namespace {

std::int64_t integer(json::value value) { return value.integer().value_or(0); }
std::string text(json::value value) { return std::string{value.string().value_or("")}; }

source_position position(json::value value) {
  return {integer(value["line"]), integer(value["column"]), integer(value["byte"])};
}

source_snippet snippet(json::value value) {
  source_snippet result;
  if (const auto context = value["context"].string()) result.context = *context;
  result.code = text(value["code"]);
  result.start_line = integer(value["start_line"]);
  result.highlight_start_offset = integer(value["highlight_start_offset"]);
  result.highlight_end_offset = integer(value["highlight_end_offset"]);
  for (const json::value each : value["values"]) {
    result.values.push_back({text(each["traversal"]), text(each["statement"])});
  }
  value["function_call"].append_json(result.function_call);
  return result;
}

}  // namespace

diagnostic_row to_row(const ui::envelope& head, const ui::diagnostic& diagnostic) {
  diagnostic_row row;
  row.severity = diagnostic.severity;
  row.summary = diagnostic.summary;
  row.detail = diagnostic.detail;
  row.address = diagnostic.address;
  if (diagnostic.range.is(json::kind::object)) {
    row.range = {text(diagnostic.range["filename"]), position(diagnostic.range["start"]),
                 position(diagnostic.range["end"])};
  }
  if (diagnostic.snippet.is(json::kind::object)) row.snippet = snippet(diagnostic.snippet);
  row.test_file = head.test_file;
  row.test_run = head.test_run;
  row.at = head.at;
  return row;
}

}  // namespace tofud::feed
