#include "daemon/cli/view_arguments.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/client/server_address.hpp"
#include "daemon/settings/options.hpp"

#include <cstdlib>
#include <map>

namespace tofud::cli {
namespace {

std::string check_label(const std::string& text) {
  return feed::parse_label(text) ? "" : "'" + text + "' is not KEY=VALUE";
}

std::string check_tick(const std::string& text) {
  const settings::option& setting = *settings::find_option("feed.tick");
  const auto wanted = settings::parse_value(setting, {text}, settings::relative_paths::refused);
  return wanted ? "" : "it " + wanted.error().why;
}

}  // namespace

void add_colour_argument(command& words, terminal::colour_flag& colour) {
  using terminal::colour_flag;
  static const std::map<std::string, colour_flag> colours = {{"auto", colour_flag::automatic},
                                                             {"always", colour_flag::always},
                                                             {"never", colour_flag::never}};
  words
      .read_option(
          "--color", [&colour](const std::string& name) { colour = colours.at(name); },
          "When to use colours: auto (in a terminal, unless NO_COLOR is set), always or never")
      .value("WHEN")
      .one_of(names_in(colours));
}

void add_progress_arguments(command& words, view_options& view) {
  using terminal::progress_flag;
  static const std::map<std::string, progress_flag> modes = {
      {"auto", progress_flag::automatic}, {"tty", progress_flag::tty},
      {"plain", progress_flag::plain},    {"github", progress_flag::github},
      {"gitlab", progress_flag::gitlab},  {"json", progress_flag::json},
      {"none", progress_flag::none}};
  words
      .read_option(
          "--progress", [&view](const std::string& name) { view.progress = modes.at(name); },
          "What to print: auto, tty (lines and a live block), plain (lines), github, gitlab, json "
          "(the stream as it came) or none")
      .value("MODE")
      .one_of(names_in(modes));
  add_colour_argument(words, view.colour);
  words
      .read_number(
          "--heartbeat", [&view](unsigned seconds) { view.heartbeat = seconds; },
          "Seconds between the lines about what is still running; 0: no such lines")
      .value("SECONDS");
  words.add_flag("--score", view.score,
                 "At the end, say how good the estimates of the remaining time were");
}

void add_ca_file_argument(command& words) {
  words
      .read_option(
          "--ca-file", [](const std::string& file) { ::setenv("TOFUD_CA_FILE", file.c_str(), 1); },
          "CA certificates (PEM) to verify the daemon's certificate (default: $TOFUD_CA_FILE, else "
          "the system's)")
      .value("FILE")
      .check(existing_file);
}

void add_attachment_arguments(command& words, attachments::wanted& attach) {
  words
      .add_option("--plan", attach.plan,
                  "The plan, as `tofu show -json PLANFILE` writes it: adds diffs, and what the "
                  "stream of a saved plan lacks")
      .value("FILE");
  words
      .add_option("--schemas", attach.schemas,
                  "Output of `tofu providers schema -json`, Provider Code Specifications, or a "
                  "directory of these, compressed or not: makes diffs exact and redacts what the "
                  "schemas mark as sensitive; may be repeated")
      .value("PATH")
      .one_each();
  words
      .add_option("--config", attach.config,
                  "Directory of the configuration: adds file names, lines and provisioners")
      .value("DIR");
}

void add_view_arguments(command& words, view_options& view) {
  view.listen.wanted = !terminal::in_ci(::getenv);
  words
      .read_option(
          "--listen",
          [&view](const std::string& address) {
            view.listen.address = address;
            if (!address.empty()) view.listen.wanted = true;
          },
          "Address of the page: ADDR:PORT on loopback (default 127.0.0.1:8638, else the next free "
          "port)")
      .value("ADDR:PORT")
      .variable("TOFUD_LISTEN");
  // After --listen, so that it wins.
  words.read_flag(
      "--no-listen",
      [&view](bool not_wanted) { view.listen.wanted = view.listen.wanted && !not_wanted; },
      "Serve no page (the default where CI is set)");
  words
      .read_option(
          "--feed-tick",
          [&view](const std::string& time) {
            view.listen.tick = settings::parse_duration(time).value().count();  // check_tick saw it
          },
          "Longest time in which changes are sent to subscribers together (default 25ms, reached "
          "at several hundred of them); 0ms: each change is sent by itself, which costs more")
      .value("TIME")
      .check(check_tick);
  add_progress_arguments(words, view);
  words.add_option("--stack", view.stack, "Name of the stack, that is, of what is applied")
      .variable("TOFUD_STACK");
  words
      .read_options(
          "--label",
          [&view](const std::vector<std::string>& labels) {
            for (const std::string& label : labels) {
              view.labels.push_back(feed::parse_label(label).value());  // check_label saw them
            }
          },
          "Label KEY=VALUE that is shown with the run; may be repeated")
      .value("KEY=VALUE")
      .one_each()
      .check(check_label);
  words
      .add_option(
          "--report", view.report,
          "At the end, write a report to this file: the page with all rows, readable offline")
      .value("FILE.html");
  words.add_option("--junit", view.junit, "At the end, write a JUnit report to this file")
      .value("FILE");
}

void add_stream_arguments(command& words, view_options& view, std::string& state_dir) {
  add_view_arguments(words, view);
  add_attachment_arguments(words, view.attach);
  words
      .add_option(
          "--state-dir", state_dir,
          "State directory, where the stream is stored (default: the user's state directory)")
      .value("DIR")
      .variable("TOFUD_STATE_DIR");
  // $TOFUD_SERVER is looked at later, and only warned of: a variable that is wrong everywhere must
  // not keep a single apply from starting.
  words
      .add_option("--server", view.server,
                  "The daemon to send the run to: https://HOST[/BASE], http://HOST:PORT or "
                  "unix:PATH (default: $TOFUD_SERVER, where none means --no-server; else the "
                  "daemon at the default socket, if there is one)")
      .value("SERVER")
      .check([](const std::string& text) {
        const auto parsed = client::parse_server_address(text);
        return parsed ? std::string{} : parsed.error().text();
      });
  words.add_flag("--no-server", view.no_server, "Send the run to no daemon");
  add_ca_file_argument(words);
  add_token_file(words, view.token_file);
  words
      .add_option(
          "--mask-file", view.mask_file,
          "File with more values to redact, one on each line; they never leave this machine")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
}

}  // namespace tofud::cli
