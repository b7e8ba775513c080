#include "daemon/terminal/log_sections.hpp"

#include "daemon/terminal/github.hpp"
#include "daemon/terminal/gitlab.hpp"

namespace tofud::terminal {

bool log_sections::wanted() const {
  return mode_ == progress_mode::github || mode_ == progress_mode::gitlab;
}

void log_sections::enter(feed::run_phase phase, std::size_t run, std::optional<ui::time_point> at) {
  // Who waits for approval has planned and not yet begun.
  if (phase == feed::run_phase::approval) phase = feed::run_phase::plan;
  std::string name = "tofud_";
  name.append(feed::name(phase)).append("_").append(std::to_string(run));
  if (!wanted() || name == name_) return;
  leave(at);
  name_ = std::move(name);
  std::string title{feed::name(phase)};
  if (run > 1) title += " of run " + std::to_string(run);
  out_(mode_ == progress_mode::github ? github::group(title)
                                      : gitlab::section_start(name_, title, at));
}

void log_sections::leave(std::optional<ui::time_point> at) {
  if (!open()) return;
  if (mode_ == progress_mode::github) {
    out_(github::end_group);
  } else {
    out_(gitlab::section_end(name_, at));
  }
  name_.clear();
}

}  // namespace tofud::terminal
