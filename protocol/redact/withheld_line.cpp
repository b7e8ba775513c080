#include "protocol/redact/withheld_line.hpp"

#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/redact/hidden_literals.hpp"

#include <variant>

namespace tofud::redact {

std::string_view withheld_line() {
  return R"({"@level":"warn","@message":"a diagnostic is not shown as it came: )"
         R"(its source has what its row hides","@module":"tofud"})";
}

bool says_more_than_its_row(std::string_view line, const schema::schemas* known,
                            ui::message_parser& parser) {
  const ui::parsed_line& parsed = parser.parse(line);
  const auto* diagnostic = std::get_if<ui::diagnostic>(&parsed.body);
  if (!parsed.head || diagnostic == nullptr) return false;
  feed::diagnostic_row row = feed::to_row(*parsed.head, *diagnostic);
  if (!row.snippet) return known != nullptr && hide_sensitive(row, *known);
  diagnostics::redraw_generated(row);
  return row.snippet->path.has_value() || (known != nullptr && hide_sensitive(row, *known));
}

}  // namespace tofud::redact
