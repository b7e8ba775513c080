#include "daemon/export_reads.hpp"

#include "daemon/exported_document.hpp"

#include <string>

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

http::response document(const readable_run& read, const http::request& asked) {
  const auto format = parse_document_format(asked.parameter("format").value_or(""));
  if (!format) return http::problem(400, "format= is csv, junit, trace or md");
  const pipeline& of = read.run->of;
  std::string wrong;
  const plan_writer plan = [&](std::string& out, std::size_t room) {
    const auto& attached = of.attached();
    if (attached && attached->has(feed::attachment::plan))
      wrong = attached->add_markdown(out, room);
  };
  const std::string run = read.run->state.id();
  const document_kind kind = kind_of(*format);
  http::response made;
  made.body = exported_document(*format, of.fold(), run, plan);
  if (!wrong.empty()) return http::problem(500, wrong);
  made.content_type = kind.content_type;
  made.headers.push_back({"Content-Disposition", "attachment; filename=\"tofud-" + plain_name(run) +
                                                     std::string{kind.ending} + "\""});
  return made;
}

}  // namespace

void add_export_reads(http::router& routes, const run_finder& find) {
  routes.get("/v1/runs/*/export", of_run(find, document));
}

}  // namespace tofud
