// The phases of a stream as parts of a job's log that can be folded.
#pragma once

#include "daemon/terminal/mode.hpp"
#include "protocol/feed/row.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::terminal {

/// GitHub's groups, GitLab's sections, and for any other mode nothing. One at most is open: groups
/// don't nest. Remembers which. Passive: it hands the lines that are orders to `out`.
class log_sections {
 public:
  using line_sink = std::function<void(std::string_view line)>;

  log_sections(progress_mode mode, line_sink out) : mode_{mode}, out_{std::move(out)} {}

  bool wanted() const;
  bool open() const { return !name_.empty(); }
  /// What follows belongs to that phase of the run with that number (from 1).
  void enter(feed::run_phase phase, std::size_t run, std::optional<ui::time_point> at);
  void leave(std::optional<ui::time_point> at);

 private:
  progress_mode mode_;
  line_sink out_;
  std::string name_;  // as GitLab has it; "" if none is open
};

}  // namespace tofud::terminal
