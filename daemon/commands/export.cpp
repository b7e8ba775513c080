#include "daemon/commands/export.hpp"

#include "daemon/commands/run_argument.hpp"
#include "daemon/exported_runs.hpp"
#include "daemon/exports/csv.hpp"
#include "daemon/exports/junit.hpp"
#include "daemon/exports/markdown.hpp"
#include "daemon/exports/trace.hpp"
#include "daemon/held_rows.hpp"
#include "daemon/kept_attachments.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/terminal/writer.hpp"
#include "daemon/whole_file.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::commands {
namespace {

enum class format : std::uint8_t { ndjson, csv, junit, trace, markdown };

struct export_arguments {
  run_argument run;
  format wanted = format::ndjson;
  std::string file;  // empty: stdout
};

std::string document(const export_arguments& given, const held_rows& rows,
                     const std::string& only) {
  if (given.wanted == format::ndjson) {
    std::string all;
    rows.write(
        [&all](std::string_view bytes) {
          all.append(bytes);
          return true;
        },
        only);
    return all;
  }
  const auto runs = exported_runs(rows.fold(), only);
  switch (given.wanted) {
    case format::csv:
      return exports::csv(runs);
    case format::junit:
      return exports::junit(runs);
    case format::trace:
      return exports::trace(runs);
    case format::markdown:
      return exports::markdown(runs);
    case format::ndjson:
      break;
  }
  return "";
}

int run_export(const export_arguments& given) {
  auto opened = open_run(given.run);
  if (!opened) return 2;
  held_rows rows{opened->stream.identity()};
  // Asked first: what is written after the answer is read as well.
  const bool goes_on = opened->stream.is_written();
  kept_attachments with{opened->stream,
                        {[&rows](std::string_view bytes) { rows.feed(bytes); },
                         [&rows](const auto& known) { rows.attach(*known); }}};
  const std::string failure =
      opened->stream.read_all([&with](std::string_view bytes) { with.pass(bytes); });
  if (!failure.empty()) {
    reader::notice(failure);
    return 2;
  }
  if (goes_on) {
    reader::notice("the run goes on; this is what is known so far");
  } else {
    const auto said = opened->stream.said();
    if (said.exit_status) rows.exit_status(*said.exit_status);
    rows.end();
  }
  if (!holds(rows.fold(), opened->chosen)) return 2;
  const std::string text = document(given, rows, opened->chosen.only);
  if (given.file.empty() || given.file == "-") {
    return terminal::write_all(STDOUT_FILENO, text) ? 0 : 1;
  }
  const std::string unwritten = write_whole_file(given.file, text);
  if (unwritten.empty()) return 0;
  reader::notice(unwritten);
  return 1;
}

}  // namespace

command add_export(CLI::App& line) {
  auto given = std::make_shared<export_arguments>();
  CLI::App* words = line.add_subcommand("export", "Write a run as a document for other programs");
  add_run_argument(*words, given->run, run_given::always);
  static const std::map<std::string, format> formats = {{"ndjson", format::ndjson},
                                                        {"csv", format::csv},
                                                        {"junit", format::junit},
                                                        {"trace", format::trace},
                                                        {"md", format::markdown}};
  words
      ->add_option_function<std::string>(
          "--format", [given](const std::string& name) { given->wanted = formats.at(name); },
          "ndjson (the final rows), csv (resources), junit, trace (for Perfetto) or md")
      ->check(CLI::IsMember(formats))
      ->required();
  words->add_option("-o,--output", given->file, "The file to write (default: stdout)")
      ->type_name("FILE");
  return {words, [given] { return run_export(*given); }};
}

}  // namespace tofud::commands
