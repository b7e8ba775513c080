#include "daemon/api/export_reads.hpp"

#include "daemon/api/limits.hpp"
#include "daemon/exports/copied_rows.hpp"
#include "daemon/exports/exported_document.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/text/sha256.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tofud {
namespace {

/// A replayed run is named for its file: what might end the name or the header is not in it.
std::string plain_name(std::string name) {
  for (char& each : name) {
    const bool plain = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                       (each >= '0' && each <= '9') || each == '.' || each == '-' || each == '_';
    if (!plain) each = '_';
  }
  return name;
}

using answering = std::function<void(http::response)>;

/// Rows of a run on their way to a document, and the plan for the Markdown.
struct exporting {
  explicit exporting(const readable_run& read) : keeps{read.keeps}, rows{read.run->state} {
    const auto& attached = read.run->stream().attached();
    if (attached && attached->has(feed::attachment::plan)) known = *attached;
  }
  std::shared_ptr<const void> keeps;
  exports::copied_rows rows;
  std::optional<attachments::documents> known;

  long_reads::drawn text(exports::document_format format) const {
    text::failure wrong;
    const exports::plan_writer plan = [&](std::string& out, std::size_t room) {
      if (known) wrong = known->add_markdown(out, room);
    };
    std::string made = exports::exported_document(format, {rows.rows()}, plan);
    if (!wrong.empty()) return wrong;
    return {boost::system::in_place_value, std::move(made)};
  }
};

/// What the document depends on.
std::string key_of(const readable_run& read, std::string_view format) {
  std::string view;
  feed::encode(view, read.run->view(), 0);
  view = text::sha256_hex(view);
  const auto& attached = read.run->stream().attached();
  return "export " + std::string{format} + " of " + read.run->state.id() + " at " +
         std::to_string(read.run->topic.head()) + " with " +
         std::to_string(attached ? attached->version() : 0) + " " + view;
}

void document(const readable_run& read, const http::request& asked, const answering& answer,
              long_reads& reads) {
  const std::string word = asked.parameter("format").value_or("");
  const auto format = exports::parse_document_format(word);
  if (!format) return answer(http::problem(400, "format= must be csv, junit, trace or md"));
  const exports::document_kind kind = kind_of(*format);
  http::response made;
  made.content_type = kind.content_type;
  made.headers.push_back({"Content-Disposition", "attachment; filename=\"tofud-" +
                                                     plain_name(read.run->state.id()) +
                                                     std::string{kind.ending} + "\""});
  const auto rows = std::make_shared<exporting>(read);
  const auto done = [made = std::move(made), answer](const long_reads::shared_text& text) mutable {
    if (!*text) return answer(http::problem(500, text->error().text()));
    made.shared = text_of(text);
    answer(std::move(made));
  };
  const bool taken = reads.draw(
      key_of(read, word), [rows] { return rows->rows.copy_some(limits::rows_copied); },
      [rows, format = *format] { return rows->text(format); }, done);
  if (!taken) answer(too_many_reads());
}

}  // namespace

void add_export_reads(http::router& routes, const run_finder& find, long_reads& reads) {
  routes.answer_later(
      "GET", "/v1/runs/*/export",
      of_run_later(find, [&reads](const auto& run, const auto& asked, const answering& answer) {
        document(run, asked, answer, reads);
      }));
}

}  // namespace tofud
