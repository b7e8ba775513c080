#include "daemon/terminal/osc.hpp"

#include <algorithm>
#include <chrono>

namespace tofud::terminal {
namespace {

std::string_view value(const environment& env, const char* name) {
  const char* text = env(name);
  return text == nullptr ? std::string_view{} : std::string_view{text};
}

}  // namespace

osc_progress progress_of(const feed::run_view& run, const feed::run_estimate* estimate,
                         std::optional<ui::time_point> now) {
  const bool failed = run.diagnostics.errors > 0 ||
                      run.counts[static_cast<std::size_t>(feed::resource_status::failed)] > 0;
  unsigned percent = 0;
  if (run.progress.total > 0) {
    percent = static_cast<unsigned>(run.progress.done * 100 / run.progress.total);
  }
  if (estimate != nullptr && !estimate->overrun && run.started_at && now) {
    const double gone = std::chrono::duration<double>{*now - *run.started_at}.count();
    const double left =
        std::max(0.0, estimate->p50 - std::chrono::duration<double>{*now - estimate->at}.count());
    if (gone > 0 && gone + left > 0)
      percent = static_cast<unsigned>(std::min(99.0, 100 * gone / (gone + left)));
  }
  if (failed) return {osc_state::failed, percent};
  if (run.phase == feed::run_phase::approval) return {osc_state::paused, 0};
  if (run.phase == feed::run_phase::plan || run.progress.total == 0) return {osc_state::unknown, 0};
  return {osc_state::normal, percent};
}

std::string sequence(osc_progress progress) {
  std::string text = "\x1b]9;4;" + std::to_string(static_cast<int>(progress.state));
  if (progress.state != osc_state::none) text += ";" + std::to_string(progress.percent);
  return text + "\x1b\\";
}

std::string link(std::string_view url, std::string_view text) {
  std::string out = "\x1b]8;;";
  out.append(url).append("\x1b\\").append(text).append("\x1b]8;;\x1b\\");
  return out;
}

bool takes_links(const environment& env) {
  const std::string_view term = value(env, "TERM");
  return term != "linux" && term != "dumb";
}

bool takes_osc_progress(const environment& env) {
  return takes_links(env) && !value(env, "TERM").starts_with("rxvt") &&
         value(env, "TERM_PROGRAM") != "iTerm.app" && value(env, "LC_TERMINAL") != "iTerm2";
}

}  // namespace tofud::terminal
