#include "protocol/diagnostics/generated_snippet.hpp"

#include "protocol/diagnostics/block_drawing.hpp"
#include "protocol/diagnostics/json_outline.hpp"
#include "protocol/diagnostics/json_place.hpp"
#include "protocol/diagnostics/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::diagnostics {
namespace {

bool has_long_line(std::string_view code) {
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    if (end > limits::generated_line_bytes) return true;
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return false;
}

// The first line of a file with more than its first bracket: as far as anybody can tell, all of it.
bool is_whole_file(const feed::source_snippet& snippet) {
  if (snippet.start_line != 1 || snippet.code.find('\n') != std::string::npos) return false;
  const std::string_view code = snippet.code;
  const std::size_t begin = code.find_first_of("{[");
  if (begin == std::string_view::npos) return false;
  return code.find_last_not_of(" \t\r") > begin;
}

byte_range range_of(const feed::source_snippet& snippet) {
  const auto size = static_cast<std::int64_t>(snippet.code.size());
  const auto within = [&](std::int64_t offset) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(offset, 0, size));
  };
  const byte_range fault{within(snippet.highlight_start_offset),
                         within(snippet.highlight_end_offset)};
  return {fault.begin, std::max(fault.begin, fault.end)};
}

void take(feed::source_snippet& into, drawn_block drawn) {
  into.code = std::move(drawn.text);
  into.highlight_start_offset = static_cast<std::int64_t>(drawn.fault.begin);
  into.highlight_end_offset = static_cast<std::int64_t>(drawn.fault.end);
}

// What is left of `file` around the fault, if it is not in one block: names.
drawn_block draw_names(const json_outline& file, std::uint32_t at, byte_range fault) {
  if (at != 0 && !file.node(at).is_container()) {
    const std::uint32_t around = file.node(at).parent;
    if (around != 0) at = around;
  }
  if (at == 0) return {};
  return draw_block(file, at, fault, siblings::hidden);
}

void redraw_file(feed::diagnostic_row& row) {
  feed::source_snippet& snippet = *row.snippet;
  const std::string code = snippet.code;
  const byte_range fault = range_of(snippet);
  const json_outline file{code, read_as::document};
  std::uint32_t at = file.innermost(fault.begin);
  snippet.path = path_of(file, at);
  const auto block = enclosing_block(file, at, row.range->filename);
  if (block) return take(snippet, draw_block(file, *block, fault, siblings::shown));
  if (at == 0 && file.nodes().size() > 1) at = 1;
  take(snippet, draw_names(file, at, fault));
}

// One line of a file: which block it is in is not known.
void redraw_line(feed::diagnostic_row& row) {
  feed::source_snippet& snippet = *row.snippet;
  byte_range fault = range_of(snippet);
  const std::string code = snippet.code;
  const std::string_view all = code;
  const std::size_t newline = fault.begin == 0 ? all.npos : all.rfind('\n', fault.begin - 1);
  const std::size_t begin = newline == all.npos ? 0 : newline + 1;
  const std::string_view line = all.substr(begin, all.find('\n', begin) - begin);
  fault.begin -= begin;
  fault.end = std::min(fault.end - begin, line.size());
  snippet.start_line +=
      std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  const json_outline file{line, read_as::fragment};
  snippet.path = snippet.context.value_or("");
  take(snippet, draw_names(file, file.innermost(fault.begin), fault));
}

}  // namespace

void redraw_generated(feed::diagnostic_row& row) {
  if (!row.snippet || !row.range || row.snippet->path) return;
  if (!is_json_file(row.range->filename)) return;
  if (is_whole_file(*row.snippet)) return redraw_file(row);
  if (has_long_line(row.snippet->code)) redraw_line(row);
}

}  // namespace tofud::diagnostics
