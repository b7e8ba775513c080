// Progress for people, a line per state change: for logs, CI and pipes.
#pragma once

#include "daemon/terminal/running.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/text/grown_list.hpp"

#include <boost/container/small_vector.hpp>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tofud::terminal {

/// Takes one line without its newline. Lines of one run come in the same order after every restart
/// of the worker, so they can be numbered and those already printed left out.
using line_sink = std::function<void(std::string_view line)>;

/// How far a run is: what each line about it says.
struct how_far {
  feed::run_command command = feed::run_command::other;
  std::uint64_t done = 0, total = 0;
  std::optional<ui::time_point> last_line_at;

  how_far() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the same of a whole view
  how_far(const feed::run_view& run)
      : command{run.command},
        done{run.progress.done},
        total{run.progress.total},
        last_line_at{run.last_line_at} {}
};
/// At this moment; asked only when something is printed.
using run_now = std::function<how_far()>;

/// What is told, and how it looks.
struct plain_manner {
  style look;
  bool marks = false;               // "✓" and "✗" before what has ended
  bool starts = true;               // that work on a resource begins
  std::size_t done_per_second = 0;  // more ends in a second are counted only; 0: all are told
  usual_of usual{};
  estimate_of estimate{};
  /// Cells of the terminal now, to which ids are cut; none: nothing is cut.
  std::function<std::size_t()> width{};
};

/// Tells one run. Remembers what it has said of each resource. Text from outside is sanitized here.
class plain_progress {
 public:
  explicit plain_progress(line_sink out, plain_manner manner = {})
      : out_{std::move(out)}, manner_{std::move(manner)} {}

  void resource_changed(const run_now& now, feed::row_number row,
                        const feed::resource_row& resource);
  void diagnostic(const run_now& now, const feed::diagnostic_row& diagnostic);
  void message(const run_now& now, const feed::message_row& message);
  /// A file or a run of `tofu test` has a result; before that nothing is printed.
  void test(const run_now& now, std::string_view name, std::string_view status);
  /// A line of the stream that was no message: as it is.
  void text(const run_now& now, std::string_view line);
  void summary(const feed::run_view& run);
  /// The run is over: what was only counted is said.
  void end(const run_now& now);

  /// A line of provisioner output, for who looks at what runs.
  void log(feed::row_number row, std::string_view text) { running_.log(row, text); }

  /// "still running 3: a (2m10s), …"; empty if nothing runs. `since_last_line` is the time since
  /// the newest line was received, by a clock of ours.
  std::string still_running(const feed::run_view& run,
                            std::chrono::microseconds since_last_line) const;
  /// "refreshed 820, planned 12 so far", for the phase that prints no lines of its own; empty if
  /// that was said before, or there is nothing to say.
  std::string count(const feed::run_view& run, std::chrono::microseconds since_last_line);

  const running_steps& running() const { return running_; }
  std::uint64_t refreshed() const { return refreshed_; }
  std::uint64_t planned() const { return planned_; }

 private:
  // NOLINTNEXTLINE(bugprone-exception-escape): what a small_vector holds is moved
  struct told {
    boost::container::small_vector<feed::step_status, 7> steps;
    bool planned = false;
  };
  void say(const how_far& run, std::optional<ui::time_point> at, std::string_view text);
  /// Cells behind the clock; 0: any number.
  std::size_t room(const how_far& run) const;
  /// `mark`: how far the run is, with a blank before it; may be empty.
  void put(std::string_view mark, std::optional<ui::time_point> at, std::string_view text);
  void tell(const run_now& now, const feed::resource_row& resource, const feed::step& step);
  void say_step(const how_far& run, std::optional<ui::time_point> at,
                const feed::resource_row& resource, const feed::step& step);
  bool folds(std::optional<ui::time_point> at);
  void say_folded(const run_now& now);

  line_sink out_;
  plain_manner manner_;
  text::grown_list<told> said_;  // by row
  running_steps running_;
  std::uint64_t refreshed_ = 0, planned_ = 0, counted_ = 0;
  ui::time_point second_;  // the newest in which something ended
  std::size_t told_in_second_ = 0;
  std::uint64_t folded_ = 0;
  std::optional<ui::time_point> folded_at_;
  std::unordered_set<std::string> warned_;  // summaries
  struct {
    std::optional<std::time_t> second;
    std::string text;
  } clock_;                         // of the line before: a thousand lines have the same
  std::string mark_, text_, line_;  // of the line that is being told
};

}  // namespace tofud::terminal
