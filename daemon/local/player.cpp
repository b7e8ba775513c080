#include "daemon/local/player.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/local/leaving_stream.hpp"
#include "daemon/local/server.hpp"
#include "daemon/operations/loop_watch.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/stdout_view.hpp"
#include "daemon/terminal/style.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>
#include <utility>

namespace tofud {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

class player {
 public:
  player(const spool::recording& recording, const view_options& view, const replay_options& wanted,
         terminal::progress_mode mode)
      : recording_{recording}, view_{view}, wanted_{wanted}, mode_{mode} {}
  int run();

 private:
  void start_printing();
  void start_serving();
  void begin_leaving();
  void add_events();
  void feed(std::string_view piece);
  void each_beat();
  void play();
  void stop_showing();
  void end();
  void leave();

  const spool::recording& recording_;
  const view_options& view_;
  const replay_options& wanted_;
  terminal::progress_mode mode_;
  asio::io_context io_{1};
  asio::steady_timer pace_{io_}, beat_{io_};
  asio::signal_set signals_{io_, SIGINT, SIGTERM};
  std::unique_ptr<terminal::stdout_view> shown_;
  machine_memory memory_{io_, ""};  // what is played happened at some other time
  std::unique_ptr<server> server_;
  files::stream_bytes bytes_;
  std::optional<pipeline::engine> stream_;
  std::optional<pipeline::run_topics> topics_;  // nothing: they are not served
  std::unique_ptr<leaving_stream> leaving_;     // null: no file is made of it
  clock::time_point start_ = clock::now();
  std::size_t next_ = 0;  // line
  bool over_ = false;
};

void player::start_printing() {
  terminal::stdout_options options;
  options.mode = mode_;
  options.colour = view_.colour;
  options.heartbeat = std::chrono::seconds{view_.heartbeat};
  options.name = wanted_.identity.stack.empty() ? recording_.id() : wanted_.identity.stack;
  options.env = ::getenv;
  shown_ = std::make_unique<terminal::stdout_view>(std::move(options));
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
  if (view_.listen.wanted) {
    const std::string_view bytes = recording_.bytes();
    bytes_ = [bytes](std::uint64_t offset, std::span<char> room) {
      if (offset >= bytes.size()) return std::size_t{0};
      const std::string_view piece = bytes.substr(offset, room.size());
      std::memcpy(room.data(), piece.data(), piece.size());
      return piece.size();
    };
    server_ = std::make_unique<server>(io_, memory_, view_.mask_file, view_.listen.tick);
    const auto outcome = server_->listen(view_.listen, 0);
    if (outcome.url.empty()) {
      server_.reset();
      spool::notice("no page is served: " + outcome.failure);
    } else {
      url = outcome.url;
      write_latest(url);
    }
  }
  shown_->begin(
      "tofud " + std::string{operations::version} + ", " + terminal::one_line(wanted_.title), url);
}

int player::run() {
  start_printing();
  start_serving();
  pipeline::part_reader parts;
  if (wanted_.parts != nullptr) parts = wanted_.parts->reader();
  stream_.emplace(wanted_.identity, std::move(parts));
  if (server_) {
    topics_.emplace(*stream_, pipeline::run_topics::listeners{
                                  [this](pipeline::run& run) { server_->run_began(run, bytes_); },
                                  [this](pipeline::run& run) { server_->run_changed(run); }});
  }
  if (shown_->prints()) stream_->tell(*shown_);
  begin_leaving();
  add_events();
  if (server_) server_->start();
  signals_.async_wait([this](boost::system::error_code failed, int) {
    if (failed) return;
    pace_.cancel();
    stop_showing();
    leave();
  });
  start_ = clock::now();
  each_beat();
  play();
  operations::loop_watch{}.run(io_);
  return 0;
}

void player::begin_leaving() {
  if (!wants_files(view_, shown_->summarizes_step())) return;
  pipeline::part_reader parts;
  if (wanted_.parts != nullptr)
    parts = wanted_.parts->reader(pipeline::attached_parts::trouble::not_told);
  leaving_ =
      leaving_stream::begin(wanted_.identity, wanted_.file, view_.mask_file, {}, std::move(parts));
}

void player::add_events() {
  for (const events::event& each : wanted_.events) {
    stream_->add(each);
    if (leaving_) leaving_->rows().add(each);
  }
}

// Viewers get what is left first.
void player::leave() {
  signals_.cancel();
  if (!server_) return io_.stop();
  server_->finish(server::last_words::run_over, [this] { io_.stop(); });
}

void player::stop_showing() {
  if (std::exchange(over_, true)) return;
  beat_.cancel();
  shown_->finish(leaving_ ? &leaving_->rows().fold() : nullptr);
}

void player::play() {
  const auto& lines = recording_.lines();
  const auto elapsed = clock::now() - start_;
  std::size_t taken = 0;
  // Lines lie one after another: those that are due together go in one piece.
  const char* begin = next_ < lines.size() ? lines[next_].bytes.data() : nullptr;
  while (next_ < lines.size() && taken < limits::read_bytes) {
    const auto due = wanted_.speed > 0
                         ? std::chrono::duration<double, std::micro>(
                               static_cast<double>(lines[next_].at.count()) / wanted_.speed)
                         : std::chrono::duration<double, std::micro>{0};
    if (due > elapsed) break;
    taken += lines[next_++].bytes.size();
  }
  if (taken > 0) {
    const std::string_view piece{begin, taken};
    shown_->heard(clock::now());
    feed(piece);
    if (mode_ == terminal::progress_mode::json) files::write_all(STDOUT_FILENO, piece);
  }
  if (next_ == lines.size()) return end();
  if (taken >= limits::read_bytes) {
    asio::post(io_, [this] { play(); });
    return;
  }
  const auto due = start_ + std::chrono::microseconds{static_cast<std::int64_t>(
                                static_cast<double>(lines[next_].at.count()) / wanted_.speed)};
  pace_.expires_at(due);
  pace_.async_wait([this](boost::system::error_code failed) {
    if (!failed) play();
  });
}

void player::feed(std::string_view piece) {
  stream_->feed(piece);
  if (leaving_) leaving_->rows().feed(piece);
}

void player::end() {
  stream_->end();
  if (leaving_) {
    leaving_->rows().end();
    leaving_->write_files(view_);
  }
  stop_showing();
  if (!server_ || wanted_.then == after_end::leave) return leave();
  if (!wanted_.farewell.empty()) shown_->say(wanted_.farewell);
}

}  // namespace

int replay(const spool::recording& recording, const view_options& view,
           const replay_options& wanted) {
  const auto mode =
      terminal::choose_progress(view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    spool::notice(terminal::no_terminal);
    return 2;
  }
  player playing{recording, view, wanted, *mode};
  return playing.run();
}

}  // namespace tofud
