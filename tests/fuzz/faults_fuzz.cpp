// Any text as the line of a file in JSON syntax with a fault in it, and as lines in native syntax.
#include "protocol/diagnostics/attribute_card.hpp"
#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/diagnostics/limits.hpp"
#include "protocol/json/document.hpp"
#include "protocol/redact/hidden_literals.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace tofud {
namespace {

constexpr std::string_view secret = "pl4nted";

void demand(bool holds, std::string_view what, std::string_view seen) {
  if (holds) return;
  std::cerr << what << ": " << seen.substr(0, 4000) << "\n";
  std::abort();
}

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

const schema::schemas& known() {
  static const schema::schemas schemas = [] {
    json::document_parser parser{everything};
    parser.parse(R"({"format_version":"1.0","provider_schemas":{"a/b/acme":{"resource_schemas":{
      "t":{"version":0,"block":{"attributes":{"a":{"type":"string","optional":true},
        "p":{"type":"string","optional":true,"sensitive":true}},
        "block_types":{"n":{"nesting_mode":"list","block":{"attributes":{
          "p":{"type":["map","string"],"optional":true,"sensitive":true}}}}}}}}}}})");
    auto read = schema::read_provider_schemas(parser.root());
    demand(read.has_value(), "a schema of ours", "");
    return std::move(*read);
  }();
  return schemas;
}

feed::diagnostic_row row_of(std::string_view filename, std::string code, std::size_t begin,
                            std::size_t size) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Attribute \"a\" is wrong";
  row.range = feed::source_range{std::string{filename}, {1, 1, 0}, {1, 1, 0}};
  feed::source_snippet snippet;
  snippet.code = std::move(code);
  snippet.start_line = 1;
  snippet.context = filename.ends_with("json") ? "resource.t.x" : R"(resource "t" "x")";
  snippet.highlight_start_offset = static_cast<std::int64_t>(begin);
  snippet.highlight_end_offset = static_cast<std::int64_t>(begin + size);
  row.snippet = std::move(snippet);
  return row;
}

void check_lines(std::string_view code) {
  demand(static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n')) <
             limits::generated_block_lines,
         "too many lines", code);
  for (std::string_view rest = code; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    demand(end <= limits::generated_line_bytes, "too long a line", rest);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void check_fault(const feed::source_snippet& snippet) {
  const auto size = static_cast<std::int64_t>(snippet.code.size());
  demand(0 <= snippet.highlight_start_offset, "a fault before the code", snippet.code);
  demand(snippet.highlight_start_offset <= snippet.highlight_end_offset, "an end before a begin",
         snippet.code);
  demand(snippet.highlight_end_offset <= size, "a fault behind the code", snippet.code);
}

// What schemas say and hide is the same however often it is asked, but for text that is neither
// syntax: what is hidden of it may be read in another way, and then more is. That comes to an end.
void check_schemas(feed::diagnostic_row row) {
  for (int times = 0; times < 32 && redact::hide_sensitive(row, known()); ++times) {
  }
  const std::string hidden = row.snippet->code;
  const auto card = diagnostics::card_of(row, known());
  demand(!redact::hide_sensitive(row, known()), "hidden again", hidden);
  demand(row.snippet->code == hidden, "another text", hidden);
  demand(diagnostics::card_of(row, known()) == card, "another card", hidden);
  row.attribute = card;
  demand(diagnostics::draw(row, {}).ends_with('\n'), "no drawing", hidden);
}

void check_generated(std::string_view filename, std::string_view text, std::size_t at,
                     std::size_t size) {
  // A block of its own before all else, which nothing behind it can open again.
  const std::string before = R"({"locals":{"x":{"k":"pl4nted"}},)";
  feed::diagnostic_row row = row_of(filename, before + std::string{text}, before.size() + at, size);
  diagnostics::redraw_generated(row);
  const feed::source_snippet& snippet = *row.snippet;
  const bool one_line = text.find('\n') == std::string_view::npos;
  if (one_line) demand(snippet.path.has_value(), "no path", text);
  if (snippet.path) {
    check_lines(snippet.code);
    check_fault(snippet);
    demand(snippet.path->size() <= limits::generated_line_bytes, "too long a path", *snippet.path);
    const bool said = text.find(secret) != std::string_view::npos;
    demand(said || snippet.code.find(secret) == std::string::npos, "another block", snippet.code);
  }
  check_schemas(row);
}

}  // namespace
}  // namespace tofud

// Three bytes say what the rest is: a file's name, where the fault begins, how long it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  if (size < 3) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 3, size - 3};
  const std::size_t at = text.empty() ? 0 : (data[1] * text.size()) / 256;
  constexpr std::string_view names[] = {"main.tf.json", "main.tofu.json", "prod.tfvars.json",
                                        "a.tftest.json"};
  check_generated(names[data[0] % 4], text, at, data[2]);
  check_schemas(row_of("main.tf", std::string{text}, at, data[2]));
  return 0;
}
