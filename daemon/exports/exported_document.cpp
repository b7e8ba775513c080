#include "daemon/exports/exported_document.hpp"

#include "daemon/exports/csv.hpp"
#include "daemon/exports/junit.hpp"
#include "daemon/exports/markdown.hpp"
#include "daemon/exports/trace.hpp"
#include "protocol/text/limits.hpp"

namespace tofud::exports {
namespace {

std::string markdown(const std::vector<exports::run_rows>& runs, const plan_writer& plan) {
  std::string text = exports::markdown(runs, limits::markdown_plan_characters / 2) + "\n";
  const std::size_t without = text.size();
  plan(text, limits::markdown_plan_characters - without);
  return text.size() > without ? text : exports::markdown(runs);
}

}  // namespace

std::optional<document_format> parse_document_format(std::string_view word) {
  if (word == "csv") return document_format::csv;
  if (word == "junit") return document_format::junit;
  if (word == "trace") return document_format::trace;
  if (word == "md") return document_format::markdown;
  return {};
}

document_kind kind_of(document_format format) {
  switch (format) {
    case document_format::csv:
      return {"text/csv; charset=utf-8", ".csv"};
    case document_format::junit:
      return {"application/xml", ".xml"};
    case document_format::trace:
      return {"application/json", ".trace.json"};
    case document_format::markdown:
      break;
  }
  return {"text/markdown; charset=utf-8", ".md"};
}

std::string exported_document(document_format format, const std::vector<run_rows>& runs,
                              const plan_writer& plan) {
  switch (format) {
    case document_format::csv:
      return exports::csv(runs);
    case document_format::junit:
      return exports::junit(runs);
    case document_format::trace:
      return exports::trace(runs);
    case document_format::markdown:
      break;
  }
  return markdown(runs, plan);
}

}  // namespace tofud::exports
