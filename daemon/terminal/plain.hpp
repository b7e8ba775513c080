// Progress for people, a line per state change: for logs, CI and pipes.
#pragma once

#include "protocol/feed/row.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tofud::terminal {

/// Takes one line without its newline. Lines of one run come in the same order after every restart
/// of the worker, so they can be numbered and those already printed left out.
using line_sink = std::function<void(std::string_view line)>;

/// The run at this moment, made only when something is printed.
using run_now = std::function<feed::run_view()>;

/// Remembers what it has said of each resource. Text from outside is sanitized here.
class plain_progress {
 public:
  explicit plain_progress(line_sink out) : out_{std::move(out)} {}

  void resource_changed(const run_now& now, feed::row_number row,
                        const feed::resource_row& resource);
  void diagnostic(const run_now& now, const feed::diagnostic_row& diagnostic);
  void message(const run_now& now, const feed::message_row& message);
  void summary(const run_now& now);

  /// "still running 3: a (2m10s), …"; empty if nothing runs. `since_last_line` is the time since
  /// the newest line was received, by a clock of ours.
  std::string still_running(const feed::run_view& run,
                            std::chrono::microseconds since_last_line) const;

 private:
  struct open_step {
    std::string addr;
    feed::step_action action;
    std::optional<ui::time_point> started_at;
  };
  void say(const run_now& now, std::optional<ui::time_point> at, std::string_view text);

  line_sink out_;
  std::unordered_map<feed::row_number, std::vector<feed::step_status>> said_;
  std::unordered_map<std::uint64_t, open_step> open_;  // by row and step
  std::unordered_set<std::string> warned_;             // summaries
};

}  // namespace tofud::terminal
