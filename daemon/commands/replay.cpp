#include "daemon/commands/replay.hpp"

#include "daemon/commands/view_arguments.hpp"
#include "daemon/exported_runs.hpp"
#include "daemon/held_rows.hpp"
#include "daemon/pipeline.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/reader/recording.hpp"
#include "daemon/server.hpp"
#include "daemon/state_dump.hpp"
#include "daemon/stdout_view.hpp"
#include "daemon/terminal/writer.hpp"
#include "daemon/version.hpp"
#include "protocol/events/run_events.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::commands {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

struct replay_arguments {
  view_options view;
  std::string file;
  double speed = 1;  // 0: as fast as it goes
  bool rows = false;
};

// What was said of the run when it was live; what is said now counts more.
correlator::run_identity identity_of(const replay_arguments& given,
                                     const reader::recording& recording,
                                     const events::run_events& said) {
  correlator::run_identity identity;
  identity.id = said.id;
  identity.stack = said.stack;
  identity.labels = said.labels;
  if (identity.id.empty()) identity.id = recording.id();
  if (!given.view.stack.empty()) identity.stack = given.view.stack;
  if (!given.view.labels.empty()) identity.labels = given.view.labels;
  return identity;
}

int print_rows(const replay_arguments& given, const reader::recording& recording,
               const events::run_events& said) {
  held_rows rows{identity_of(given, recording, said)};
  rows.feed(recording.bytes());
  if (said.exit_status) rows.exit_status(*said.exit_status);
  rows.end();
  return rows.write(
             [](std::string_view bytes) { return terminal::write_all(STDOUT_FILENO, bytes); })
             ? 0
             : 1;
}

class player {
 public:
  player(const replay_arguments& given, const reader::recording& recording,
         const events::run_events& said, terminal::progress_mode mode)
      : given_{given}, recording_{recording}, said_{said}, mode_{mode} {}
  int run();

 private:
  void start_printing();
  void start_serving();
  void each_beat();
  void play();
  void stop_showing();
  void end();

  const replay_arguments& given_;
  const reader::recording& recording_;
  const events::run_events& said_;
  terminal::progress_mode mode_;
  asio::io_context io_{1};
  asio::steady_timer pace_{io_}, beat_{io_};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  std::unique_ptr<stdout_view> shown_;
  std::unique_ptr<server> server_;
  std::unique_ptr<pipeline> pipeline_;
  clock::time_point start_ = clock::now();
  std::size_t next_ = 0;  // line
  bool over_ = false;
};

void player::start_printing() {
  stdout_options options;
  options.mode = mode_;
  options.colour = given_.view.colour;
  options.heartbeat = given_.view.heartbeat;
  options.name = given_.view.stack.empty() ? recording_.id() : given_.view.stack;
  options.env = ::getenv;
  shown_ = std::make_unique<stdout_view>(std::move(options));
}

// While there is something to play, and at last for what was said then.
void player::each_beat() {
  shown_->tick(clock::now());
  if (over_) return;
  beat_.expires_after(limits::frame_every);
  beat_.async_wait([this](boost::system::error_code failed) {
    if (!failed) each_beat();
  });
}

void player::start_serving() {
  std::string url;
  if (given_.view.listen.wanted) {
    const std::string_view bytes = recording_.bytes();
    server_ = std::make_unique<server>(io_, [bytes](std::uint64_t offset, std::span<char> room) {
      if (offset >= bytes.size()) return std::size_t{0};
      const std::string_view piece = bytes.substr(offset, room.size());
      std::memcpy(room.data(), piece.data(), piece.size());
      return piece.size();
    });
    const auto outcome = server_->listen(given_.view.listen, 0);
    if (outcome.url.empty()) {
      server_.reset();
      reader::notice("no page is served: " + outcome.failure);
    } else {
      url = outcome.url;
      write_latest(url);
    }
  }
  shown_->begin("tofud " + std::string{version} + ", replay of " + terminal::one_line(given_.file),
                url);
}

int player::run() {
  start_printing();
  start_serving();
  pipeline::listeners told;
  if (server_) {
    told.run_began = [this](pipeline::run& run) { server_->run_began(run); };
    told.topic_changed = [this](fanout::topic& topic) { server_->topic_changed(topic); };
  }
  if (shown_->prints()) told.view = shown_.get();
  pipeline_ = std::make_unique<pipeline>(identity_of(given_, recording_, said_), random_epoch(),
                                         std::move(told));
  if (server_) server_->start(*pipeline_);
  signals_.async_wait([this](boost::system::error_code failed, int) {
    if (failed) return;
    pace_.cancel();
    stop_showing();
    if (!server_) return io_.stop();
    server_->finish([this] { io_.stop(); });
  });
  start_ = clock::now();
  each_beat();
  play();
  io_.run();
  return 0;
}

void player::stop_showing() {
  if (std::exchange(over_, true)) return;
  beat_.cancel();
  shown_->finish();
}

void player::play() {
  const auto& lines = recording_.lines();
  const auto elapsed = clock::now() - start_;
  std::size_t taken = 0;
  // Lines lie one after another: those that are due together go in one piece.
  const char* begin = next_ < lines.size() ? lines[next_].bytes.data() : nullptr;
  while (next_ < lines.size() && taken < limits::read_bytes) {
    const auto due = given_.speed > 0
                         ? std::chrono::duration<double, std::micro>(
                               static_cast<double>(lines[next_].at.count()) / given_.speed)
                         : std::chrono::duration<double, std::micro>{0};
    if (due > elapsed) break;
    taken += lines[next_++].bytes.size();
  }
  if (taken > 0) {
    const std::string_view piece{begin, taken};
    shown_->heard(clock::now());
    pipeline_->feed(piece);
    if (mode_ == terminal::progress_mode::json) terminal::write_all(STDOUT_FILENO, piece);
  }
  if (next_ == lines.size()) return end();
  if (taken >= limits::read_bytes) {
    asio::post(io_, [this] { play(); });
    return;
  }
  const auto due = start_ + std::chrono::microseconds{static_cast<std::int64_t>(
                                static_cast<double>(lines[next_].at.count()) / given_.speed)};
  pace_.expires_at(due);
  pace_.async_wait([this](boost::system::error_code failed) {
    if (!failed) play();
  });
}

void player::end() {
  if (said_.exit_status) pipeline_->exit_status(*said_.exit_status);
  pipeline_->end();
  if (!given_.view.junit.empty()) write_junit(given_.view.junit, pipeline_->fold());
  stop_showing();
  if (!server_) signals_.cancel();
}

int run_replay(const replay_arguments& given) {
  const auto recording = reader::recording::open(given.file);
  if (!recording) {
    reader::notice(recording.error());
    return 2;
  }
  const events::run_events said = events::parse_events(recording->events());
  if (given.rows) return print_rows(given, *recording, said);
  const auto mode =
      terminal::choose_progress(given.view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    reader::notice(terminal::no_terminal);
    return 2;
  }
  player playing{given, *recording, said, *mode};
  return playing.run();
}

/// The number in "4" or "4x", 0 for "max"; nothing for what is no speed.
std::optional<double> parse_speed(const std::string& text) {
  if (text == "max") return 0;
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || (*end != '\0' && std::string_view{end} != "x")) return std::nullopt;
  if (!(speed > 0)) return std::nullopt;
  return speed;
}

std::string check_speed(const std::string& text) {
  if (parse_speed(text)) return "";
  return "'" + text + "' is no speed; give a number such as 4, or max";
}

}  // namespace

command add_replay(CLI::App& line) {
  auto given = std::make_shared<replay_arguments>();
  CLI::App* words = line.add_subcommand(
      "replay", "Play a recorded stream (plain or .gz) and serve it until Ctrl-C");
  add_view_arguments(*words, given->view);
  words
      ->add_option("FILE", given->file, "The recorded stream; NAME.timing beside it gives the pace")
      ->required();
  words
      ->add_option_function<std::string>(
          "--speed", [given](const std::string& text) { given->speed = *parse_speed(text); },
          "How much faster than recorded: a number, or max")
      ->type_name("N|max")
      ->check(check_speed);
  words->add_flag("--rows", given->rows, "Print the final rows and nothing else");
  return {words, [given] { return run_replay(*given); }};
}

}  // namespace tofud::commands
