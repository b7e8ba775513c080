#include "daemon/api/export_reads.hpp"

#include "daemon/exports/exported_document.hpp"

#include <functional>
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

void document(const readable_run& read, const http::request& asked, const answering& answer,
              long_reads& reads) {
  const auto format = exports::parse_document_format(asked.parameter("format").value_or(""));
  if (!format) return answer(http::problem(400, "format= is csv, junit, trace or md"));
  const pipeline::engine& of = read.run->stream();
  const std::string run = read.run->state.id();
  const exports::document_kind kind = kind_of(*format);
  http::response made;
  made.content_type = kind.content_type;
  made.headers.push_back({"Content-Disposition", "attachment; filename=\"tofud-" + plain_name(run) +
                                                     std::string{kind.ending} + "\""});
  // What the plan is to be added to, and what there is without it.
  std::string before;
  std::size_t left = 0;
  const exports::plan_writer plan = [&](const std::string& out, std::size_t room) {
    before = out;
    left = room;
  };
  made.body = exports::exported_document(*format, of.fold(), run, plan);
  const bool has_plan = of.attached() && of.attached()->has(feed::attachment::plan);
  if (left == 0 || !has_plan) return answer(std::move(made));
  const attachments::documents known = *of.attached();
  const auto work = [known, left]() -> long_reads::drawn {
    std::string text;
    auto wrong = known.add_markdown(text, left);
    if (!wrong.empty()) return wrong;
    return {boost::system::in_place_value, std::move(text)};
  };
  const auto done = [made = std::move(made), before = std::move(before),
                     answer](const long_reads::shared_text& drawn) mutable {
    if (!*drawn) return answer(http::problem(500, drawn->error().text()));
    if (!(*drawn)->empty()) made.body = before + **drawn;
    answer(std::move(made));
  };
  const std::string key = "md " + std::to_string(known.version()) + " " + std::to_string(left);
  if (!reads.draw(key, work, done)) answer(too_many_reads());
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
