#include "daemon/cli/watch.hpp"

#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/stdout_view.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

namespace asio = boost::asio;
using clock = terminal::stdout_view::clock;

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
  terminal::stdout_options printing() const;
  void begin();
  void take(std::string_view bytes);
  void leave(int signal);
  void over(const text::failure& failure);
  void each_beat();

  const watch_arguments& given_;
  opened_run& opened_;
  terminal::progress_mode mode_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  asio::steady_timer beat_{io_};
  terminal::stdout_view shown_;
  pipeline::attached_parts parts_;
  pipeline::engine stream_;
  pipeline::follower following_;
  bool left_ = false;
  int status_ = 0;
};

watcher::watcher(const watch_arguments& given, opened_run& opened, terminal::progress_mode mode)
    : given_{given},
      opened_{opened},
      mode_{mode},
      shown_{printing()},
      parts_{parts_beside(opened.stream)},
      stream_{opened.stream.identity(), parts_.reader()},
      following_{io_,
                 opened.stream,
                 parts_,
                 stream_,
                 {[this](std::string_view bytes) { take(bytes); }, nullptr,
                  [this](const text::failure& failure) { over(failure); }}} {
  stream_.tell(shown_);
}

terminal::stdout_options watcher::printing() const {
  terminal::stdout_options options;
  options.mode = mode_;
  options.colour = given_.view.colour;
  options.heartbeat = std::chrono::seconds{given_.view.heartbeat};
  const auto identity = opened_.stream.identity();
  options.name = identity.stack.empty() ? identity.id : identity.stack;
  options.env = ::getenv;
  return options;
}

void watcher::begin() {
  const bool goes_on = opened_.stream.is_held();
  shown_.begin(
      "tofud " + std::string{operations::version} + ", run " + stream_.fold().runs().front().id(),
      goes_on ? page_of(opened_) : "");
}

int watcher::run() {
  // A pipe's reads block: there the signals keep their meaning.
  if (!opened_.stream.is_pipe()) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](boost::system::error_code failed, int number) {
      if (!failed) leave(number);
    });
  }
  begin();
  each_beat();
  following_.start();
  each_beat();
  io_.run();
  return status_;
}

void watcher::take(std::string_view bytes) {
  shown_.heard(clock::now());
  if (mode_ == terminal::progress_mode::json) files::write_all(STDOUT_FILENO, bytes);
}

void watcher::each_beat() {
  shown_.tick(clock::now());
  if (left_) return;
  beat_.expires_after(limits::frame_every);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

void watcher::leave(int signal) {
  following_.stop();
  left_ = true;
  shown_.finish();
  spool::notice("no longer watching; the run continues");
  if (given_.exit_status) status_ = 128 + signal;  // the run's is not known
  io_.stop();
}

void watcher::over(const text::failure& failure) {
  signals_.cancel();
  left_ = true;
  beat_.cancel();
  if (failure.empty()) {
    const int inferred = stream_.fold().inferred_exit_status();
    if (given_.exit_status) status_ = opened_.stream.said().exit_status.value_or(inferred);
    shown_.finish();
    return;
  }
  shown_.finish();
  spool::notice(failure.text());
  status_ = 2;
}

int run_watch(const watch_arguments& given) {
  const auto mode =
      terminal::choose_progress(given.view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    spool::notice(terminal::no_terminal);
    return 2;
  }
  auto opened = open_run(given.run);
  if (!opened) return 2;
  watcher watching{given, *opened, *mode};
  return watching.run();
}

}  // namespace

void add_watch(command& line) {
  auto given = std::make_shared<watch_arguments>();
  command& words = line.add_command(
      "watch",
      "Follow a running run, here or at a daemon, or a file that tofu's -json-into writes");
  add_run_argument(words, given->run, run_given::maybe);
  add_progress_arguments(words, given->view);
  words.add_flag("--exit-status", given->exit_status,
                 "Exit with the status of the run (default: 0)");
  words.run = [given] { return run_watch(*given); };
}

}  // namespace tofud::cli
