#include "daemon/terminal/plain.hpp"

#include "daemon/terminal/cells.hpp"
#include "daemon/terminal/diagnostic.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/words.hpp"
#include "protocol/feed/annotations.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace tofud::terminal {
namespace {

using feed::step_action;
using feed::step_status;

std::time_t seconds_of(ui::time_point at) {
  return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

std::string clock_text(std::optional<ui::time_point> at) {
  if (!at) return "--:--:--";
  const std::time_t seconds = seconds_of(*at);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S", &local)};
}

// " [ 9/41]"; nothing while no total is known, and for `tofu plan`, at whose end "[ 0/41]" would
// look unfinished.
std::string progress_mark(const how_far& run) {
  if (run.total == 0 || run.command == feed::run_command::plan) return "";
  const std::string total = std::to_string(run.total), done = std::to_string(run.done);
  std::string mark = " [";
  mark.append(total.size() - std::min(total.size(), done.size()), ' ');
  return mark.append(done).append("/").append(total).append("]");
}

// The present, by the stream's own clock.
std::optional<ui::time_point> time_of(const feed::run_view& run,
                                      std::chrono::microseconds since_last_line) {
  if (!run.last_line_at) return std::nullopt;
  return *run.last_line_at + since_last_line;
}

// What is worth a line: work of the apply phase, and whatever failed. A refresh of ten thousand
// resources that went well is not.
bool worth_a_line(const feed::step& step) {
  if (step.status == step_status::failed) return true;
  if (step.action == step_action::refresh || step.action == step_action::open ||
      step.action == step_action::renew || step.action == step_action::close) {
    return false;
  }
  return step.phase == feed::run_phase::apply;
}

hue colour_of(step_status status) {
  if (status == step_status::failed) return hue::red;
  return status == step_status::done ? hue::green : hue::yellow;
}

std::string_view mark_of(step_status status) {
  if (status == step_status::failed) return "✗ ";
  return status == step_status::done ? "✓ " : "  ";
}

/// Of an id that is cut, so much at least: both ends still tell it from others.
constexpr std::size_t least_id_cells = 12;

/// Appends the id in brackets, its middle cut if the line would be longer than `room` cells (0: any
/// length).
void append_id(std::string& line, const feed::step& step, std::size_t room, const style& look) {
  const std::size_t before = line.size();
  line.append(" [");
  append_one_line(line, step.id_key);
  line.append("=");
  if (room == 0) {
    append_one_line(line, step.id_value);
  } else {
    const std::size_t used =
        cells(sanitize(std::string_view{line}.substr(0, before), colours::strip)) +
        cells(std::string_view{line}.substr(before)) + 1;
    const std::size_t left = std::max(room - std::min(used, room), least_id_cells);
    line.append(cut_middle(one_line(step.id_value), left, look.cut()));
  }
  line.append("]");
}

/// `room`: cells of the terminal that are left for it; 0: it may be as long as it likes.
void describe(std::string& text, const feed::resource_row& resource, const feed::step& step,
              const plain_manner& manner, std::size_t room) {
  const action_words verb = words(step.action);
  if (manner.marks) manner.look.paint(text, colour_of(step.status), mark_of(step.status));
  text.append(verb.sign).append(" ");
  append_one_line(text, resource.addr);
  text.append(": ");
  const auto append_time_taken = [&] {
    if (step.started_at && step.ended_at)
      text.append(" after ").append(text::duration(*step.ended_at - *step.started_at));
  };
  switch (step.status) {
    case step_status::running:
      text.append(verb.running);
      break;
    case step_status::done:
      text.append(verb.done);
      append_time_taken();
      break;
    case step_status::failed:
      text.append(verb.noun);
      manner.look.paint(text, hue::red, " FAILED");
      append_time_taken();
      if (const std::string said = one_line(feed::in_words(resource.source->said)); !said.empty())
        text.append(" · ").append(said);
      break;
    case step_status::interrupted:
      text.append(verb.noun);
      manner.look.paint(text, hue::yellow, " never finished");
      break;
  }
  if (step.status == step_status::done && !step.id_value.empty())
    append_id(text, step, room, manner.look);
}

}  // namespace

void plain_progress::say(const how_far& run, std::optional<ui::time_point> at,
                         std::string_view text) {
  say_folded([&run] { return run; });
  put(progress_mark(run), at, text);
}

void plain_progress::put(std::string_view mark, std::optional<ui::time_point> at,
                         std::string_view text) {
  const auto second = at ? std::optional{seconds_of(*at)} : std::nullopt;
  if (!second || second != clock_.second) clock_ = {second, clock_text(at)};
  mark_ = clock_.text;
  mark_.append(mark);
  line_.clear();
  manner_.look.paint(line_, hue::dim, mark_);
  line_.append(" ").append(text);
  out_(line_);
}

std::size_t plain_progress::room(const how_far& run) const {
  const std::size_t width = manner_.width ? manner_.width() : 0;
  if (width == 0) return 0;
  const std::size_t before = cells(clock_text({}) + progress_mark(run)) + 1;
  return width > before ? width - before : width;
}

// Of a flood of ends, which second it is in decides, by the stream's own clock: after a restart the
// same lines come out.
bool plain_progress::folds(std::optional<ui::time_point> at) {
  if (manner_.done_per_second == 0) return false;
  const auto second = at ? std::chrono::floor<std::chrono::seconds>(*at) : ui::time_point{};
  if (second != second_) told_in_second_ = 0;
  second_ = second;
  return told_in_second_++ >= manner_.done_per_second;
}

void plain_progress::say_folded(const run_now& now) {
  if (folded_ == 0) return;
  const std::string count = std::to_string(std::exchange(folded_, 0));
  put(progress_mark(now()), folded_at_, "… and " + count + " more finished");
}

void plain_progress::end(const run_now& now) { say_folded(now); }

void plain_progress::tell(const run_now& now, const feed::resource_row& resource,
                          const feed::step& step) {
  if (!worth_a_line(step)) return;
  if (step.status == step_status::running) {
    if (!manner_.starts) return;
    say_step(now(), step.started_at, resource, step);
    return;
  }
  const std::optional<ui::time_point> at =
      step.ended_at ? std::optional{*step.ended_at} : now().last_line_at;
  if (step.status == step_status::done && folds(at)) {
    ++folded_;
    folded_at_ = at;
    return;
  }
  say_step(now(), at, resource, step);
}

void plain_progress::say_step(const how_far& run, std::optional<ui::time_point> at,
                              const feed::resource_row& resource, const feed::step& step) {
  text_.clear();
  describe(text_, resource, step, manner_, room(run));
  say(run, at, text_);
}

void plain_progress::resource_changed(const run_now& now, feed::row_number row,
                                      const feed::resource_row& resource) {
  running_.changed(row, resource);
  if (said_.size() <= row) said_.resize(row + 1);
  told& said = said_[row];
  if (!said.planned && !resource.plan.empty()) {
    said.planned = true;
    ++planned_;
  }
  for (std::size_t i = 0; i < resource.steps.size(); ++i) {
    const feed::step& step = resource.steps[i];
    if (i == said.steps.size()) {
      said.steps.push_back(step_status::running);
      if (step.status == step_status::running) tell(now, resource, step);
    }
    if (step.status == said.steps[i]) continue;
    said.steps[i] = step.status;
    if (step.action == step_action::refresh && step.status == step_status::done) ++refreshed_;
    tell(now, resource, step);
  }
}

void plain_progress::diagnostic(const run_now& now, const feed::diagnostic_row& diagnostic) {
  // OpenTofu too tells warnings of one kind once in full: a module used everywhere brings many.
  if (diagnostic.severity == "warning" && !warned_.insert(diagnostic.summary).second) {
    return say(now(), diagnostic.at, diagnostic_in_short(diagnostic));
  }
  say_folded(now);
  const auto colours = manner_.look.coloured ? text::ink::colours::yes : text::ink::colours::no;
  for (const std::string& line : diagnostic_lines(diagnostic, colours)) out_(line);
  for (const std::string_view line : advice(diagnostic)) out_(line);
}

void plain_progress::message(const run_now& now, const feed::message_row& message) {
  std::string text = one_line(message.text);
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return;
  text = text.substr(first, text.find_last_not_of(' ') - first + 1);
  say(now(), message.at, text);
}

void plain_progress::test(const run_now& now, std::string_view name, std::string_view status) {
  if (status == "pending" || status == "running") return;
  const bool is_bad = status == "fail" || status == "error";
  const hue colour = status == "pass" ? hue::green : is_bad ? hue::red : hue::yellow;
  const how_far run = now();
  say(run, run.last_line_at, one_line(name) + ": " + manner_.look.paint(colour, one_line(status)));
}

void plain_progress::text(const run_now& now, std::string_view line) {
  say_folded(now);
  out_(one_line(line));
}

void plain_progress::summary(const feed::run_view& run) {
  const auto counts = [](const feed::change_counts& c, std::string_view suffix) {
    std::string text;
    if (c.import > 0)
      text += std::to_string(c.import) + " import" + (suffix.empty() ? "" : "ed") + ", ";
    text += std::to_string(c.add) + (suffix.empty() ? " to add, " : " added, ");
    text += std::to_string(c.change) + (suffix.empty() ? " to change, " : " changed, ");
    text += std::to_string(c.remove) + (suffix.empty() ? " to destroy" : " destroyed");
    if (c.forget > 0)
      text += ", " + std::to_string(c.forget) + (suffix.empty() ? " to forget" : " forgotten");
    return text;
  };
  if (run.applied) {
    say(run, run.last_line_at, "Applied: " + counts(*run.applied, "ed"));
  } else if (run.planned) {
    say_folded([&run] { return run; });
    put("", run.last_line_at, "Plan: " + counts(*run.planned, ""));  // nothing can be done yet
  }
}

std::string plain_progress::count(const feed::run_view& run,
                                  std::chrono::microseconds since_last_line) {
  if (run.phase != feed::run_phase::plan || run.planned) return "";
  if (refreshed_ + planned_ == counted_) return "";
  counted_ = refreshed_ + planned_;
  std::string text;
  if (refreshed_ > 0) text = "refreshed " + std::to_string(refreshed_);
  if (planned_ > 0) {
    text.append(text.empty() ? "" : ", ").append("planned ").append(std::to_string(planned_));
  }
  return clock_text(time_of(run, since_last_line)) + " " + text + " so far";
}

std::string plain_progress::still_running(const feed::run_view& run,
                                          std::chrono::microseconds since_last_line) const {
  if (running_.size() == 0) return "";
  constexpr std::size_t named = 3;
  const auto oldest = running_.oldest(named);
  std::string text = "still running " + std::to_string(running_.size()) + ":";
  for (std::size_t i = 0; i < oldest.size(); ++i) {
    text.append(i == 0 ? " " : ", ").append(one_line(oldest[i]->addr)).append(" ");
    text.append(words(oldest[i]->action).running);
    if (oldest[i]->started_at && run.last_line_at) {
      const auto elapsed = *run.last_line_at - *oldest[i]->started_at + since_last_line;
      text.append(" ").append(text::duration(elapsed));
      const std::string usual = words_of(manner_.usual, *oldest[i], elapsed).text;
      if (!usual.empty()) text.append(" (").append(usual).append(")");
    }
  }
  if (running_.size() > named)
    text.append(", and ").append(std::to_string(running_.size() - named)).append(" more");
  if (const auto waited = running_.most_waited_for()) {
    text.append("; ").append(std::to_string(waited->count));
    text.append(waited->count == 1 ? " waits for " : " wait for ").append(one_line(waited->addr));
  }
  if (const auto* estimate = manner_.estimate ? manner_.estimate() : nullptr;
      estimate && run.last_line_at)
    text.append("; ").append(feed::eta_text(*estimate, *run.last_line_at + since_last_line));
  return clock_text(time_of(run, since_last_line)) + progress_mark(run) + " " + text;
}

}  // namespace tofud::terminal
