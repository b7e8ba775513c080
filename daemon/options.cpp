#include "daemon/options.hpp"

#include "daemon/version.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <sstream>
#include <string_view>

namespace tofud {
namespace {

constexpr const char* about =
    "Shows what an OpenTofu run is doing: in the terminal, on a page, to programs.\n"
    "\n"
    "  tofu apply -json -auto-approve | tofud        progress here, a live page on loopback\n"
    "  tofud replay FILE                             the same for a recorded stream";

struct raw_view {
  std::string listen, progress = "auto", state_dir, stack;
  std::vector<std::string> labels;
  bool no_listen = false;
  unsigned heartbeat = 30;
};

void add_view_options(CLI::App& app, raw_view& raw) {
  app.add_option("--listen", raw.listen,
                 "Where the page is served: ADDR:PORT on loopback (default 127.0.0.1:8638, else "
                 "the next free port)")
      ->type_name("ADDR:PORT");
  app.add_flag("--no-listen", raw.no_listen, "Serve nothing (the default where CI is set)");
  app.add_option("--progress", raw.progress,
                 "What goes to stdout: auto, plain, json (the stream as it came) or none")
      ->check(CLI::IsMember({"auto", "plain", "json", "none"}));
  app.add_option("--heartbeat", raw.heartbeat,
                 "Seconds between the lines that say what still runs; 0: none")
      ->type_name("SECONDS");
  app.add_option("--stack", raw.stack, "Name of what is applied")->envname("TOFUD_STACK");
  app.add_option("--label", raw.labels, "KEY=VALUE shown with the run; may be repeated")
      ->type_name("KEY=VALUE");
}

view_options cook(const raw_view& raw) {
  view_options view;
  const char* ci = std::getenv("CI");
  const bool in_ci = ci != nullptr && *ci != '\0';
  view.listen.wanted = !raw.no_listen && (!in_ci || !raw.listen.empty());
  view.listen.address = raw.listen;
  if (raw.progress == "json") view.progress = progress_mode::json;
  if (raw.progress == "none") view.progress = progress_mode::none;
  view.heartbeat = std::chrono::seconds{raw.heartbeat};
  view.state_dir = raw.state_dir;
  view.stack = raw.stack;
  for (const std::string& label : raw.labels) {
    const std::size_t equals = label.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw CLI::ValidationError("--label", "'" + label + "' is not KEY=VALUE");
    }
    view.labels.push_back({label.substr(0, equals), label.substr(equals + 1)});
  }
  return view;
}

double parse_speed(const std::string& text) {
  if (text == "max") return 0;
  std::size_t used = 0;
  double speed = 0;
  try {
    speed = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() && text.substr(used) != "x") used = 0;
  if (used == 0 || !(speed > 0)) {
    throw CLI::ValidationError("--speed",
                               "'" + text + "' is no speed; give a number such as 4, or max");
  }
  return speed;
}

}  // namespace

bool may_be_pipe(int argc, const char* const* argv) {
  if (argc < 2) return true;
  const std::string_view first = argv[1];
  return first.starts_with('-') || first == worker_argument;
}

any_command parse_command(int argc, const char* const* argv) {
  CLI::App app{about, "tofud"};
  app.set_version_flag("--version", std::string{"tofud "} + version);
  app.set_help_flag("-h,--help", "Print this help");
  app.option_defaults()->always_capture_default(false);

  raw_view raw;
  add_view_options(app, raw);
  app.add_option("--state-dir", raw.state_dir,
                 "Where the stream is kept (default: the user's state directory)")
      ->type_name("DIR");

  replay_command replay;
  raw_view replay_raw;
  std::string speed = "1";
  CLI::App* replaying = app.add_subcommand(
      "replay", "Play a recorded stream (plain or .gz) and serve it until Ctrl-C");
  add_view_options(*replaying, replay_raw);
  replaying
      ->add_option("FILE", replay.file, "The recorded stream; NAME.timing beside it gives the pace")
      ->required();
  replaying->add_option("--speed", speed, "How much faster than recorded: a number, or max")
      ->type_name("N|max");
  replaying->add_flag("--rows", replay.rows, "Print the final rows and nothing else");

  bool headless = false;
  CLI::App* working = app.add_subcommand(worker_argument, "")->group("");
  raw_view worker_raw;
  add_view_options(*working, worker_raw);
  working->add_option("--state-dir", worker_raw.state_dir);
  working->add_flag("--headless", headless);

  try {
    app.parse(argc, argv);
    if (*replaying) {
      replay.view = cook(replay_raw);
      replay.speed = parse_speed(speed);
      return replay;
    }
    if (*working) return worker_command{cook(worker_raw), headless};
    return pipe_command{cook(raw)};
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    return leave{status == 0 ? 0 : 2, out.str(), err.str()};
  }
}

}  // namespace tofud
