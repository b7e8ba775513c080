#include "daemon/commands/show.hpp"

#include "daemon/reader/descriptor.hpp"
#include "daemon/reader/gunzip.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/limits.hpp"
#include "protocol/render/diagnostic.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <variant>
#include <vector>

namespace tofud::commands {
namespace {

struct show_arguments {
  std::string file;
  bool diagnostics = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

/// How a stream went by: the diagnostics in it, and what could not be looked at.
class diagnostics_of_a_stream {
 public:
  explicit diagnostics_of_a_stream(render::diagnostic_drawing drawing)
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
    drawn_ += render::draw(feed::to_row(*parsed.head, *found), drawing_, found->difference);
  }

  render::diagnostic_drawing drawing_;
  ui::message_parser parser_{ui::differences::keep};
  ui::line_splitter lines_{limits::line_bytes};
  std::string drawn_;
  std::size_t too_long_ = 0;
};

render::diagnostic_drawing drawing_for(const show_arguments& given) {
  const bool to_terminal = ::isatty(STDOUT_FILENO) != 0;
  render::diagnostic_drawing drawing;
  if (terminal::wants_colour(given.colour, to_terminal, ::getenv)) {
    drawing.colours = render::ink::colours::yes;
  }
  // A file or a program gets what OpenTofu would have written; a terminal is steered by nobody.
  if (to_terminal) {
    drawing.filter = [](std::string_view text) {
      return terminal::sanitize(text, terminal::colours::strip);
    };
    drawing.long_lines = render::long_lines::shorten;
  }
  return drawing;
}

int show_diagnostics(const show_arguments& given) {
  const auto charset =
      ::isatty(STDOUT_FILENO) != 0 ? terminal::charset_of(::getenv) : terminal::charset::utf8;
  const bool from_stdin = given.file == "-";
  const std::string name = from_stdin ? "standard input" : given.file;
  const reader::descriptor file{from_stdin ? ::dup(STDIN_FILENO)
                                           : ::open(given.file.c_str(), O_RDONLY | O_CLOEXEC)};
  const auto fails = [&](std::initializer_list<std::string_view> words) {
    std::string sentence;
    for (const std::string_view word : words) sentence.append(word);
    reader::notice(sentence);
    return 2;
  };
  if (!file) return fails({"can't read ", name, ": ", std::strerror(errno)});
  const auto write = [&](const std::string& drawn) {
    return terminal::write_all(STDOUT_FILENO, terminal::in_charset(drawn, charset));
  };
  diagnostics_of_a_stream found{drawing_for(given)};
  reader::gunzip unpacked{[&](std::string_view bytes) { found.feed(bytes); }};
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const ssize_t count = ::read(file.get(), room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EISDIR)
      return fails({name, " is a directory; name the stream in it"});
    if (count < 0) return fails({"can't read ", name, ": ", std::strerror(errno)});
    if (count == 0) break;
    const std::string wrong = unpacked.feed({room.data(), static_cast<std::size_t>(count)});
    // What was found before is worth showing all the same.
    if (!write(found.take_drawn())) return 1;
    if (!wrong.empty()) return fails({name, " ", wrong});
  }
  const std::string missing = unpacked.end();
  found.end();
  if (!write(found.take_drawn())) return 1;
  if (!missing.empty()) return fails({name, " ", missing});
  if (found.too_long() > 0) {
    reader::notice(name + " has " + std::to_string(found.too_long()) +
                   " lines too long to read; diagnostics in them are not shown");
  }
  return 0;
}

int run_show(const show_arguments& given) {
  if (given.diagnostics) return show_diagnostics(given);
  reader::notice(
      "plans and states can't be shown yet; for the diagnostics of a stream: "
      "tofud show --diagnostics " +
      given.file);
  return 2;
}

}  // namespace

command add_show(CLI::App& line) {
  auto given = std::make_shared<show_arguments>();
  CLI::App* words =
      line.add_subcommand("show", "Print the diagnostics of a stream as OpenTofu draws them");
  words->add_option("FILE", given->file, "A recorded stream, plain or .gz; - is standard input")
      ->required();
  words->add_flag("--diagnostics", given->diagnostics,
                  "Print errors and warnings; other lines are skipped");
  static const std::map<std::string, terminal::colour_flag> flags = {
      {"auto", terminal::colour_flag::automatic},
      {"always", terminal::colour_flag::always},
      {"never", terminal::colour_flag::never}};
  words
      ->add_option_function<std::string>(
          "--color", [given](const std::string& name) { given->colour = flags.at(name); },
          "Whether to colour: auto (a terminal, NO_COLOR, FORCE_COLOR), always or never")
      ->check(CLI::IsMember(flags));
  return {words, [given] { return run_show(*given); }};
}

}  // namespace tofud::commands
