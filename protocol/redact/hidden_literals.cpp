#include "protocol/redact/hidden_literals.hpp"

#include "protocol/diagnostics/json_place.hpp"
#include "protocol/redact/hidden_ranges.hpp"
#include "protocol/redact/hider.hpp"
#include "protocol/redact/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::redact {
namespace {

constexpr std::string_view hidden_statement = "has a sensitive value";

std::vector<diagnostics::byte_range> ranges_of(const feed::diagnostic_row& row,
                                               const diagnostics::subject& of) {
  const std::string_view code = row.snippet->code;
  const sensitive_names names{*of.block};
  const bool json = row.range && diagnostics::is_json_file(row.range->filename);
  std::vector<diagnostics::byte_range> ranges =
      json ? hidden_in_json(code, names, of) : hidden_in_native(code, names);
  std::erase_if(ranges, [&](const diagnostics::byte_range& each) {
    return code.substr(each.begin, each.end - each.begin) == redact::hidden;
  });
  return ranges;
}

// Where a place is once ranges before it are hidden; within one it is at its beginning or end.
std::int64_t moved(std::int64_t offset, const std::vector<diagnostics::byte_range>& ranges,
                   bool to_end) {
  const auto size = static_cast<std::int64_t>(redact::hidden.size());
  std::int64_t grown = 0;
  for (const diagnostics::byte_range& each : ranges) {
    const auto begin = static_cast<std::int64_t>(each.begin);
    const auto end = static_cast<std::int64_t>(each.end);
    if (offset <= begin) break;
    if (offset < end) return begin + grown + (to_end ? size : 0);
    grown += size - (end - begin);
  }
  return offset + grown;
}

void hide_ranges(feed::source_snippet& snippet,
                 const std::vector<diagnostics::byte_range>& ranges) {
  snippet.highlight_start_offset = moved(snippet.highlight_start_offset, ranges, false);
  snippet.highlight_end_offset = moved(snippet.highlight_end_offset, ranges, true);
  std::string shown;
  std::size_t done = 0;
  for (const diagnostics::byte_range& each : ranges) {
    shown.append(snippet.code, done, each.begin - done).append(redact::hidden);
    done = each.end;
  }
  shown.append(snippet.code, done);
  snippet.code = std::move(shown);
}

// The texts in quotes within a range, as written.
std::vector<std::string> texts_in(std::string_view code, const diagnostics::byte_range& range) {
  std::vector<std::string> texts;
  std::string_view rest = code.substr(range.begin, range.end - range.begin);
  while (true) {
    const std::size_t begin = rest.find('"');
    const std::size_t end = begin == rest.npos ? rest.npos : rest.find('"', begin + 1);
    if (end == rest.npos) return texts;
    if (end - begin - 1 >= limits::hidden_value_bytes) {
      texts.emplace_back(rest.substr(begin + 1, end - begin - 1));
    }
    rest.remove_prefix(end + 1);
  }
}

bool hide_text(std::string& in, std::string_view text) {
  bool found = false;
  for (std::size_t at = in.find(text); at != std::string::npos; at = in.find(text, at)) {
    in.replace(at, text.size(), redact::hidden);
    at += redact::hidden.size();
    found = true;
  }
  return found;
}

void hide_said(feed::diagnostic_row& row, const std::vector<std::string>& texts) {
  for (const std::string& each : texts) {
    hide_text(row.summary, each);
    hide_text(row.detail, each);
    for (feed::expression_value& value : row.snippet->values) hide_text(value.statement, each);
  }
}

std::string without_keys(std::string_view traversal) {
  std::string plain;
  while (!traversal.empty()) {
    const std::size_t key = std::min(traversal.find('['), traversal.size());
    plain += traversal.substr(0, key);
    traversal.remove_prefix(key);
    const std::string_view end = traversal.starts_with("[\"") ? "\"]" : "]";
    traversal.remove_prefix(std::min(traversal.find(end), traversal.size()));
    traversal.remove_prefix(std::min(end.size(), traversal.size()));
  }
  return plain;
}

// `acme_db.main[0].password`, `data.acme_login.x.token`, `self.password`.
bool is_sensitive_traversal(std::string_view traversal, const diagnostics::subject& of,
                            const schema::schemas& known) {
  const std::string plain = without_keys(traversal);
  std::vector<std::string_view> names = diagnostics::names_of(plain);
  const auto drop = [&](std::size_t count) {
    names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (names.size() > 1 && names[0] == "self") {
    drop(1);
    return of.block != nullptr && is_sensitive(*of.block, names);
  }
  std::string_view kind = "resource";
  if (!names.empty() && (names[0] == "data" || names[0] == "ephemeral" || names[0] == "resource")) {
    kind = names[0];
    drop(1);
  }
  if (names.size() < 3) return false;
  const schema::block* block = diagnostics::find_block_schema(known, kind, names[0]);
  drop(2);
  return block != nullptr && is_sensitive(*block, names);
}

bool hide_values(feed::source_snippet& snippet, const diagnostics::subject& of,
                 const schema::schemas& known) {
  bool changed = false;
  for (feed::expression_value& each : snippet.values) {
    if (each.statement.starts_with("has a") || !is_sensitive_traversal(each.traversal, of, known)) {
      continue;
    }
    each.statement = hidden_statement;
    changed = true;
  }
  return changed;
}

}  // namespace

bool hide_sensitive(feed::diagnostic_row& row, const schema::schemas& known) {
  if (!row.snippet) return false;
  const diagnostics::subject of = diagnostics::subject_of(row, known);
  bool changed = hide_values(*row.snippet, of, known);
  if (of.block == nullptr || !of.has_snippet) return changed;
  const std::vector<diagnostics::byte_range> ranges = ranges_of(row, of);
  if (ranges.empty()) return changed;
  std::vector<std::string> texts;
  for (const diagnostics::byte_range& each : ranges) {
    for (std::string& text : texts_in(row.snippet->code, each)) texts.push_back(std::move(text));
  }
  hide_ranges(*row.snippet, ranges);
  hide_said(row, texts);
  return true;
}

}  // namespace tofud::redact
