#include "daemon/cli/show.hpp"

#include "daemon/cli/show_documents.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/github.hpp"
#include "daemon/terminal/mode.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <variant>

namespace tofud::cli {
namespace {

/// How a stream went by: the diagnostics in it, and what could not be looked at.
class diagnostics_of_a_stream {
 public:
  explicit diagnostics_of_a_stream(diagnostics::diagnostic_drawing drawing)
      : drawing_{std::move(drawing)} {}

  void feed(std::string_view bytes) {
    lines_.feed(
        bytes, [this](std::string_view line) { take(line); },
        [this](std::uint64_t) { ++too_long_; });
  }
  /// The last line may lack its newline.
  void end() {
    if (lines_.skipped() > 0) ++too_long_;
    take(lines_.rest());
  }
  std::string take_drawn() { return std::exchange(drawn_, {}); }
  std::size_t too_long() const { return too_long_; }

 private:
  void take(std::string_view line) {
    const auto& parsed = parser_.parse(line);
    if (!parsed.head) return;
    const auto* found = std::get_if<ui::diagnostic>(&parsed.body);
    if (found == nullptr) return;
    feed::diagnostic_row row = feed::to_row(*parsed.head, *found);
    diagnostics::redraw_generated(row);
    drawn_ += diagnostics::draw(row, drawing_, found->difference);
  }

  diagnostics::diagnostic_drawing drawing_;
  ui::message_parser parser_{ui::differences::keep};
  ui::line_splitter lines_{limits::line_bytes};
  std::string drawn_;
  std::size_t too_long_ = 0;
};

diagnostics::diagnostic_drawing drawing_for(const show_arguments& given) {
  const bool to_terminal = ::isatty(STDOUT_FILENO) != 0;
  diagnostics::diagnostic_drawing drawing;
  if (terminal::wants_colour(given.colour, to_terminal, ::getenv)) {
    drawing.colours = text::ink::colours::yes;
  }
  // A file or a program gets what OpenTofu would have written; a terminal is steered by nobody.
  if (to_terminal) {
    drawing.filter = [](std::string_view text) {
      return terminal::sanitize(text, terminal::colours::strip);
    };
    drawing.long_lines = diagnostics::long_lines::shorten;
  }
  return drawing;
}

int show_diagnostics(const show_arguments& given, const std::string& file) {
  const auto charset =
      ::isatty(STDOUT_FILENO) != 0 ? terminal::charset_of(::getenv) : terminal::charset::utf8;
  bool written = true;
  const bool on_github = terminal::on_github(::getenv);
  const auto write = [&](const std::string& drawn) {
    const std::string text = terminal::in_charset(drawn, charset);
    written =
        files::write_all(STDOUT_FILENO, on_github ? terminal::github::defused_lines(text) : text);
    return written;
  };
  diagnostics_of_a_stream found{drawing_for(given)};
  const auto failure = files::read_pieces(file, [&](std::string_view bytes) {
    found.feed(bytes);
    return write(found.take_drawn());
  });
  if (written) {
    found.end();
    write(found.take_drawn());
  }
  if (!written) return 1;
  if (!failure.empty()) {
    spool::notice(failure.text());
    return 2;
  }
  if (found.too_long() > 0) {
    spool::notice(files::name_of_file(file) + " has " + std::to_string(found.too_long()) +
                  " lines were too long to read; diagnostics in them are not shown");
  }
  return 0;
}

int run_show(const show_arguments& given) {
  if (!given.diagnostics) return show_documents(given);
  int status = 0;
  for (const std::string& file : given.files) {
    if (const int one = show_diagnostics(given, file); one != 0) status = one;
  }
  return status;
}

}  // namespace

void add_show(command& line) {
  auto given = std::make_shared<show_arguments>();
  command& words = line.add_command(
      "show", "Print a plan, a state or the diagnostics of a stream as OpenTofu draws them");
  words
      .add_option(
          "FILE", given->files,
          "Output of `tofu show -json`, or a recorded stream; plain or .gz; - is standard input")
      .required();
  words
      .add_option("--schemas", given->schemas,
                  "Output of `tofu providers schema -json`, Provider Code Specifications, or a "
                  "directory of these; with schemas tofud knows sets, blocks, types and sensitive "
                  "values. config/schemas is read too, if it exists")
      .value("PATH")
      .one_each();
  option& compact =
      words.add_flag("--compact", given->compact,
                     "Print one line for each resource: what changes, without values");
  option& json = words.add_flag("--json", given->json, "Print one JSON object for each resource");
  option& markdown =
      words.add_flag("--md", given->markdown,
                     "Print a plan as a pull request comment in GitHub's Markdown, folded");
  option& html =
      words.add_flag("--html", given->html, "Print a plan as a page that is one file, for review");
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values that --md and --html redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  words
      .add_option("--config", given->config,
                  "Directory of the configuration, for how long --md says that "
                  "the apply takes (default: what the plan has of it)")
      .value("DIR");
  add_memory_source(words, given->memory);
  option& refresh_only =
      words.add_flag("--refresh-only", given->refresh_only, "The plan was made with -refresh-only");
  option& destroy = words.add_flag("--destroy", given->destroy, "The plan was made with -destroy");
  words.add_flag(
      "--overlay", given->overlay,
      "Also redact what the schemas mark as sensitive; OpenTofu itself uses only the plan's marks");
  option& diagnostics =
      words.add_flag("--diagnostics", given->diagnostics,
                     "Print the errors and warnings of a stream; other lines are skipped");
  compact.excludes(json);
  markdown.excludes(json).excludes(compact);
  html.excludes(json).excludes(compact).excludes(markdown);
  refresh_only.excludes(destroy);
  for (option* each : {&compact, &json, &markdown, &html, &refresh_only, &destroy})
    diagnostics.excludes(*each);
  static const std::map<std::string, terminal::colour_flag> flags = {
      {"auto", terminal::colour_flag::automatic},
      {"always", terminal::colour_flag::always},
      {"never", terminal::colour_flag::never}};
  words
      .read_option(
          "--color", [given](const std::string& name) { given->colour = flags.at(name); },
          "When to use colours: auto (in a terminal; NO_COLOR and FORCE_COLOR count), always or "
          "never")
      .one_of(names_in(flags));
  words.run = [given] { return run_show(*given); };
}

}  // namespace tofud::cli
