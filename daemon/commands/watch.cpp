#include "daemon/commands/watch.hpp"

#include "daemon/commands/run_argument.hpp"
#include "daemon/pipeline.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/reader/page_url.hpp"
#include "daemon/state_dump.hpp"
#include "daemon/terminal/writer.hpp"
#include "daemon/version.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::commands {
namespace {

namespace asio = boost::asio;

struct watch_arguments {
  run_argument run;
  bool exit_status = false;
};

class watcher {
 public:
  watcher(const watch_arguments& given, opened_run& opened);
  int run();

 private:
  void over(const std::string& failure);
  std::string first_line() const;

  const watch_arguments& given_;
  opened_run& opened_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  terminal::line_writer writer_{STDOUT_FILENO, nullptr};
  pipeline pipeline_;
  follower following_;
  int status_ = 0;
};

watcher::watcher(const watch_arguments& given, opened_run& opened)
    : given_{given},
      opened_{opened},
      pipeline_{
          opened.stream.identity(),
          random_epoch(),
          {nullptr, nullptr, nullptr, [this](std::string_view line) { writer_.write(line); }}},
      following_{io_,
                 opened.stream,
                 {[this](std::string_view bytes) { pipeline_.feed(bytes); }, nullptr,
                  [this](const std::string& failure) { over(failure); }}} {}

std::string watcher::first_line() const {
  std::string line = "tofud " + std::string{version} + ", run " + pipeline_.fold().runs()[0].id();
  if (!opened_.stream.file().is_held()) return line;
  const std::string url = reader::read_page_url(opened_.chosen.path);
  return line + (url.empty() ? "" : ": " + url);
}

int watcher::run() {
  // A pipe's reads block: there the signals keep their meaning.
  if (!opened_.stream.file().is_pipe()) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](boost::system::error_code failed, int number) {
      if (failed) return;
      following_.stop();
      writer_.write("no longer watching; the run goes on");
      if (given_.exit_status) status_ = 128 + number;  // it is not known
      io_.stop();
    });
  }
  writer_.write(first_line());
  following_.start();
  io_.run();
  writer_.finish();
  return status_;
}

void watcher::over(const std::string& failure) {
  signals_.cancel();
  if (!failure.empty()) {
    reader::notice(failure);
    status_ = 2;
    return;
  }
  const auto said = opened_.stream.said();
  if (said.exit_status) pipeline_.exit_status(*said.exit_status);
  pipeline_.end();
  if (!given_.exit_status) return;
  status_ = said.exit_status ? *said.exit_status : pipeline_.fold().inferred_exit_status();
}

int run_watch(const watch_arguments& given) {
  auto opened = open_run(given.run);
  if (!opened) return 2;
  watcher watching{given, *opened};
  return watching.run();
}

}  // namespace

command add_watch(CLI::App& line) {
  auto given = std::make_shared<watch_arguments>();
  CLI::App* words = line.add_subcommand(
      "watch", "Follow a run that goes on here, or a file that tofu's -json-into writes");
  add_run_argument(*words, given->run, run_given::maybe);
  words->add_flag("--exit-status", given->exit_status,
                  "Exit as the run does (default: 0, whatever it does)");
  return {words, [given] { return run_watch(*given); }};
}

}  // namespace tofud::commands
