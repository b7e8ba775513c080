// What a person at the terminal, or a job's log, gets to see of a stream.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/log_sections.hpp"
#include "daemon/terminal/mode.hpp"
#include "daemon/terminal/plain.hpp"
#include "daemon/terminal/screen.hpp"
#include "daemon/terminal/writer.hpp"
#include "protocol/history/score.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::terminal {

struct stdout_options {
  terminal::progress_mode mode = terminal::progress_mode::plain;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
  std::chrono::seconds heartbeat{30};  // 0: no lines that say what still runs
  std::string directory;               // of the root module, absolute; empty: the current one
  std::string name;  // said before each line, where another tofud draws on the same terminal
  /// Lines that an earlier process printed of the same stream: they are not printed again.
  std::uint64_t printed_before = 0;
  /// In which way: `shown_as()` of that process; it decides which lines there are. 0: none was.
  std::uint32_t shown_before = 0;
  /// Told how many lines are printed, on another thread; may be empty.
  std::function<void(std::uint64_t)> printed;
  terminal::usual_of usual{};  // how long operations take
  terminal::estimate_of estimate{};
  /// What was said of the end of a run that is over; may be empty: the summary says nothing of it.
  std::function<std::vector<history::said_estimate>(const correlator::run_state&)> judged{};
  terminal::environment env;  // outlives the view
  int fd = -1;                // where to; -1: stdout, or stderr where the mode says so
};

/// Everything a pipeline::follower of a stream prints: lines, live block, groups and sections,
/// summary. `json` and `none` print nothing here, `around` the first line and the summary, on
/// stderr. Remembers what it has told of each run. It has no clock: the one who drives it calls
/// `heard` when bytes come and `tick` about ten times a second. A terminal that takes nothing holds
/// up nobody: writing is another thread's.
class stdout_view final : public correlator::row_sink {
 public:
  using clock = std::chrono::steady_clock;

  explicit stdout_view(stdout_options options);
  ~stdout_view() override;

  /// Whether anything is printed.
  bool prints() const { return writer_ != nullptr; }

  /// The mode it shows the stream in, in a form that can be kept.
  std::uint32_t shown_as() const;

  /// The first line: "tofud 1.0, run X", and where the page is, if it is ("" if not).
  void begin(std::string_view what, std::string_view url);
  /// A line of ours.
  void say(std::string_view line);
  /// Where a daemon shows the run, for the summary of a job's step.
  void shown_at(std::string url) { url_ = std::move(url); }
  /// Says that instead of how the run went.
  void lose_sight(std::string_view line);

  // What the fold tells. A state outlives the view.
  void run_began(correlator::run_state& state) override;
  void changed(correlator::run_state& state, feed::row_change change) override;
  void line(correlator::run_state& state, const feed::line_change& line) override;
  void summary_came(correlator::run_state& state) override;
  void run_ended(correlator::run_state& state) override;

  void heard(clock::time_point now);
  void tick(clock::time_point now);
  /// Whether `finish` writes a summary for GitHub's page of the step, which leaves the machine.
  bool summarizes_step() const;
  /// The stream is over, all runs have ended: nothing stays open or half drawn. Lines may follow.
  /// `leaving`: the same runs as they may leave the machine, for that summary; null: there is none.
  void finish(const correlator::stream_fold* leaving = nullptr);
  /// Whether everything is written, or given up.
  bool drained() const { return !writer_ || writer_->drained(); }

 private:
  enum class sort : bool { text, order };  // an order is a line of ours for a CI system
  void draw_between();
  void put(std::string_view line, sort what = sort::text);
  void tell(std::string_view line);
  void print_report(const correlator::run_state& state);
  void print_count_or_heartbeat();
  void draw();
  void erase_block();
  void annotate(const correlator::run_state& state, const feed::diagnostic_row& diagnostic);
  void mark_errors(const correlator::run_state& state);
  void write_step_summary(const correlator::stream_fold& leaving);
  std::chrono::microseconds since_last_line() const;
  std::string dressed(std::string_view line) const;

  stdout_options options_;
  int fd_;
  terminal::style look_;
  bool on_terminal_, on_github_ = false, links_ = false, osc_ = false;
  std::unique_ptr<terminal::screen_lock> lock_;
  bool beside_ = false;  // another tofud draws here
  std::unique_ptr<terminal::line_writer> writer_;
  std::uint64_t printed_ = 0;

  const correlator::run_state* current_ = nullptr;
  std::size_t run_number_ = 0;
  std::optional<terminal::plain_progress> progress_;
  terminal::log_sections sections_;
  bool ends_plan_ = false;  // what is told now belongs to the plan, though the phase may be over
  std::uint32_t told_diagnostics_ = 0;  // of the current run, which come in order
  std::size_t annotated_errors_ = 0, annotated_warnings_ = 0;
  bool lost_sight_ = false;
  std::string url_;
  std::string folder_;  // where OpenTofu runs, seen from the root of the repository

  struct times {
    clock::time_point now, heard, last_print, last_count, last_frame;
    bool started = false;  // they mean something
  } at_;
  bool changed_ = false;  // since the last frame
  bool finished_ = false;
};

}  // namespace tofud::terminal
