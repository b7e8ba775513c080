#include "daemon/cli/export.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/cli/whole_run.hpp"
#include "daemon/exports/exported_document.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/exports/otlp.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/spool_place.hpp"
#include "daemon/telemetry/destination.hpp"
#include "daemon/terminal/github.hpp"
#include "daemon/terminal/mode.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct export_arguments {
  run_argument run;
  std::optional<exports::document_format> wanted;  // nothing: the rows, one a line
  bool as_trace_requests = false;                  // instead of both
  attachments::wanted attach;
  std::string mask_file;
  std::string file;  // empty: stdout
};

std::string document(const export_arguments& given, const correlator::stream_fold& fold,
                     const pipeline::final_rows& rows, const std::string& only,
                     const exports::plan_writer& plan) {
  if (given.wanted)
    return exports::exported_document(*given.wanted, exports::exported_runs(fold, only), plan);
  std::string all;
  rows.write(
      [&all](std::string_view bytes) {
        all.append(bytes);
        return true;
      },
      only);
  return all;
}

/// Requests for a collector, one a line, as the file exporter of OpenTelemetry writes them.
text::result<std::string> trace_requests_of(const whole_run& run) {
  auto service = telemetry::service_attributes(spool::process_environment());
  if (!service) return service.error();
  const exports::trace_surroundings around{std::move(*service), run.opened().stream.said().parent,
                                           page_of(run.opened())};
  std::string all;
  for (const exports::run_rows& each : exports::exported_runs(run.fold(), run.only())) {
    for (const std::string& body :
         exports::otlp_traces(each, around, std::numeric_limits<std::size_t>::max()).bodies)
      all += body + "\n";
  }
  return {boost::system::in_place_value, std::move(all)};
}

int run_export(const export_arguments& given) {
  const auto run = whole_run::read(given.run, given.attach, given.mask_file);
  if (!run) return 2;
  std::string text;
  if (given.as_trace_requests) {
    auto made = trace_requests_of(*run);
    if (!made) {
      spool::notice(made.error().text());
      return 2;
    }
    text = std::move(*made);
  } else {
    text = document(given, run->fold(), run->rows(), run->only(), run->plan());
  }
  if (given.file.empty() || given.file == "-") {
    if (given.wanted == exports::document_format::markdown && terminal::on_github(::getenv)) {
      text = terminal::github::defused_lines(text);
    }
    return files::write_all(STDOUT_FILENO, text) ? 0 : 1;
  }
  const auto unwritten = files::write_whole_file(given.file, text);
  if (unwritten.empty()) return 0;
  spool::notice(unwritten.text());
  return 1;
}

}  // namespace

void add_export(command& line) {
  auto given = std::make_shared<export_arguments>();
  command& words = line.add_command("export", "Export a run as a document for other programs");
  add_run_argument(words, given->run, run_given::always);
  add_attachment_arguments(words, given->attach);
  static const std::vector<std::string> formats = {"ndjson", "csv", "junit", "trace", "otlp", "md"};
  words
      .read_option(
          "--format",
          [given](const std::string& name) {
            given->as_trace_requests = name == "otlp";
            given->wanted = exports::parse_document_format(name);
          },
          "ndjson (the final rows), csv (resources), junit, trace (for Perfetto), otlp (for "
          "OpenTelemetry) or md")
      .one_of(formats)
      .required();
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values to redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  words.add_option("-o,--output", given->file, "File to write (default: standard output)")
      .value("FILE");
  words.run = [given] { return run_export(*given); };
}

}  // namespace tofud::cli
