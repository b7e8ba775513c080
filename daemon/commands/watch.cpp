#include "daemon/commands/watch.hpp"

#include "daemon/commands/run_argument.hpp"
#include "daemon/commands/view_arguments.hpp"
#include "daemon/pipeline.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/reader/page_url.hpp"
#include "daemon/state_dump.hpp"
#include "daemon/stdout_view.hpp"
#include "daemon/version.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::commands {
namespace {

namespace asio = boost::asio;

struct watch_arguments {
  run_argument run;
  view_options view;
  bool exit_status = false;
};

class watcher {
 public:
  watcher(const watch_arguments& given, opened_run& opened, terminal::progress_mode mode);
  int run();

 private:
  void over(const std::string& failure);
  void begin();
  void each_beat();

  const watch_arguments& given_;
  opened_run& opened_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  asio::steady_timer beat_{io_};
  stdout_view shown_;
  pipeline pipeline_;
  follower following_;
  int status_ = 0;
};

stdout_options shown_as(const watch_arguments& given, terminal::progress_mode mode) {
  stdout_options options;
  options.mode = mode;
  options.colour = given.view.colour;
  options.heartbeat = given.view.heartbeat;
  options.env = ::getenv;
  return options;
}

watcher::watcher(const watch_arguments& given, opened_run& opened, terminal::progress_mode mode)
    : given_{given},
      opened_{opened},
      shown_{shown_as(given, mode)},
      pipeline_{opened.stream.identity(),
                {nullptr, nullptr, nullptr, shown_.prints() ? &shown_ : nullptr}},
      following_{io_,
                 opened.stream,
                 {[this](std::string_view bytes) {
                    shown_.heard(stdout_view::clock::now());
                    pipeline_.feed(bytes);
                  },
                  nullptr, [this](const std::string& failure) { over(failure); }}} {}

void watcher::begin() {
  const std::string what =
      "tofud " + std::string{version} + ", run " + pipeline_.fold().runs()[0].id();
  const bool goes_on = opened_.stream.file().is_held();
  shown_.begin(what, goes_on ? reader::read_page_url(opened_.chosen.path) : "");
}

void watcher::each_beat() {
  shown_.tick(stdout_view::clock::now());
  beat_.expires_after(limits::frame_every);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

int watcher::run() {
  // A pipe's reads block: there the signals keep their meaning.
  if (!opened_.stream.file().is_pipe()) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](boost::system::error_code failed, int number) {
      if (failed) return;
      following_.stop();
      shown_.finish();
      shown_.say("no longer watching; the run goes on");
      if (given_.exit_status) status_ = 128 + number;  // it is not known
      io_.stop();
    });
  }
  begin();
  following_.start();
  each_beat();
  io_.run();
  return status_;
}

void watcher::over(const std::string& failure) {
  signals_.cancel();
  beat_.cancel();
  if (!failure.empty()) {
    reader::notice(failure);
    status_ = 2;
    return;
  }
  const auto said = opened_.stream.said();
  if (said.exit_status) pipeline_.exit_status(*said.exit_status);
  pipeline_.end();
  shown_.finish();
  if (!given_.exit_status) return;
  status_ = said.exit_status ? *said.exit_status : pipeline_.fold().inferred_exit_status();
}

int run_watch(const watch_arguments& given) {
  const auto mode =
      terminal::choose_progress(given.view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    reader::notice(terminal::no_terminal);
    return 2;
  }
  auto opened = open_run(given.run);
  if (!opened) return 2;
  watcher watching{given, *opened, *mode};
  return watching.run();
}

}  // namespace

command add_watch(CLI::App& line) {
  auto given = std::make_shared<watch_arguments>();
  CLI::App* words = line.add_subcommand(
      "watch", "Follow a run that goes on here, or a file that tofu's -json-into writes");
  add_run_argument(*words, given->run, run_given::maybe);
  add_progress_arguments(*words, given->view);
  words->add_flag("--exit-status", given->exit_status,
                  "Exit as the run does (default: 0, whatever it does)");
  return {words, [given] { return run_watch(*given); }};
}

}  // namespace tofud::commands
