#include "protocol/feed/append.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/row_frame.hpp"
#include "protocol/json/quote.hpp"

namespace tofud::feed {
namespace {

using json::append_quoted;
using namespace std::string_view_literals;  // append() would measure a plain literal each time

void append_position(std::string& out, const source_position& p) {
  out.append(R"({"line":)"sv);
  append_number(out, p.line);
  out.append(R"(,"column":)"sv);
  append_number(out, p.column);
  out.append(R"(,"byte":)"sv);
  append_number(out, p.byte);
  out.push_back('}');
}

void append_range(std::string& out, const std::optional<source_range>& range) {
  out.append(R"(,"range":)"sv);
  if (!range) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"filename":)"sv);
  append_quoted(out, range->filename);
  out.append(R"(,"start":)"sv);
  append_position(out, range->start);
  out.append(R"(,"end":)"sv);
  append_position(out, range->end);
  out.push_back('}');
}

void append_snippet(std::string& out, const source_snippet& snippet, std::size_t& excess) {
  out.push_back('{');
  if (snippet.context) {
    out.append(R"("context":)"sv);
    append_quoted(out, *snippet.context);
    out.push_back(',');
  }
  out.append(R"("code":)"sv);
  append_shortened(out, snippet.code, excess);
  out.append(R"(,"start_line":)"sv);
  append_number(out, snippet.start_line);
  out.append(R"(,"highlight_start_offset":)"sv);
  append_number(out, snippet.highlight_start_offset);
  out.append(R"(,"highlight_end_offset":)"sv);
  append_number(out, snippet.highlight_end_offset);
  out.append(R"(,"values":[)"sv);
  bool first = true;
  for (const expression_value& v : snippet.values) {
    if (!first) out.push_back(',');
    first = false;
    out.append(R"({"traversal":)"sv);
    append_quoted(out, v.traversal);
    out.append(R"(,"statement":)"sv);
    append_shortened(out, v.statement, excess);
    out.push_back('}');
  }
  out.push_back(']');
  if (!snippet.function_call.empty()) {
    out.append(R"(,"function_call":)"sv).append(snippet.function_call);
  }
  if (snippet.path) {
    out.append(R"(,"path":)"sv);
    append_shortened(out, *snippet.path, excess);
  }
  out.push_back('}');
}

void append_attribute(std::string& out, const std::optional<attribute_card>& card,
                      std::size_t& excess) {
  out.append(R"(,"attribute":)"sv);
  if (!card) {
    out.append("null"sv);
    return;
  }
  out.append(R"({"type":)"sv);
  append_quoted(out, card->type);
  out.append(R"(,"path":)"sv);
  append_quoted(out, card->path);
  if (!card->value_type.empty()) {
    out.append(R"(,"value_type":)"sv);
    append_shortened(out, card->value_type, excess);
  }
  if (card->required) out.append(R"(,"required":true)"sv);
  if (card->sensitive) out.append(R"(,"sensitive":true)"sv);
  if (!card->description.empty()) {
    out.append(R"(,"description":)"sv);
    append_shortened(out, card->description, excess);
  }
  if (!card->deprecated.empty()) {
    out.append(R"(,"deprecated":)"sv);
    append_shortened(out, card->deprecated, excess);
  }
  if (!card->default_value.empty()) out.append(R"(,"default":)"sv).append(card->default_value);
  if (!card->validators.empty()) {
    out.append(R"(,"validators":[)"sv);
    for (std::size_t i = 0; i < card->validators.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_shortened(out, card->validators[i], excess);
    }
    out.push_back(']');
  }
  if (!card->replacement.empty()) {
    out.append(R"(,"replacement":)"sv);
    append_quoted(out, card->replacement);
  }
  out.push_back('}');
}

}  // namespace

void encode(std::string& out, const diagnostic_row& row, const row_context& context) {
  const std::string key = std::to_string(row.ordinal);
  write_within_limit(out, row_kind::diagnostic, key, context,
                     [&](std::string& to, std::size_t excess) {
                       open_row(to, row_kind::diagnostic, key, context);
                       to.append(R"(,"severity":)"sv);
                       append_quoted(to, row.severity);
                       // The snippet is shortened first, so it is written first, whatever its place
                       // in the row.
                       std::string snippet = "null";
                       if (row.snippet) {
                         snippet.clear();
                         append_snippet(snippet, *row.snippet, excess);
                       }
                       std::string detail;
                       append_shortened(detail, row.detail, excess);
                       to.append(R"(,"summary":)"sv);
                       append_shortened(to, row.summary, excess);
                       to.append(R"(,"detail":)"sv).append(detail);
                       to.append(R"(,"address":)"sv);
                       append_text_or_null(to, row.address);
                       append_range(to, row.range);
                       to.append(R"(,"snippet":)"sv).append(snippet);
                       append_attribute(to, row.attribute, excess);
                       to.append(R"(,"test_file":)"sv);
                       append_text_or_null(to, row.test_file);
                       to.append(R"(,"test_run":)"sv);
                       append_text_or_null(to, row.test_run);
                       to.append(R"(,"at":)"sv);
                       append_time_or_null(to, row.at);
                     });
}

}  // namespace tofud::feed
