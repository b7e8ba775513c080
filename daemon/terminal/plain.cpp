#include "daemon/terminal/plain.hpp"

#include "daemon/terminal/diagnostic.hpp"
#include "daemon/terminal/duration.hpp"
#include "daemon/terminal/sanitize.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace tofud::terminal {
namespace {

using feed::step_action;
using feed::step_status;

struct verbs {
  std::string_view sign, running, done, noun;
};

verbs words(step_action action) {
  switch (action) {
    case step_action::create:
      return {"+", "creating", "created", "create"};
    case step_action::update:
      return {"~", "modifying", "modified", "update"};
    case step_action::remove:
      return {"-", "destroying", "destroyed", "destroy"};
    case step_action::read:
      return {"<=", "reading", "read", "read"};
    case step_action::refresh:
      return {" ", "refreshing", "refreshed", "refresh"};
    case step_action::open:
      return {" ", "opening", "opened", "open"};
    case step_action::renew:
      return {" ", "renewing", "renewed", "renew"};
    case step_action::close:
      return {" ", "closing", "closed", "close"};
  }
  return {};
}

std::string one_line(std::string_view text) {
  std::string clean = sanitize(text, colours::strip);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  return clean;
}

std::string clock_text(std::optional<ui::time_point> at) {
  if (!at) return "--:--:--";
  const std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(at->time_since_epoch()).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M:%S", &local)};
}

// "[ 9/41]"; nothing while no total is known.
std::string progress_text(const feed::run_view& run) {
  if (run.progress_total == 0) return "";
  const std::string total = std::to_string(run.progress_total);
  std::string done = std::to_string(run.progress_done);
  done.insert(0, total.size() - std::min(total.size(), done.size()), ' ');
  return " [" + done + "/" + total + "]";
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

std::string describe(const feed::resource_row& resource, const feed::step& step) {
  const verbs verb = words(step.action);
  std::string text{verb.sign};
  text.append(" ").append(one_line(resource.addr)).append(": ");
  std::string took;
  if (step.started_at && step.ended_at) {
    took = " after " + duration_text(*step.ended_at - *step.started_at);
  }
  switch (step.status) {
    case step_status::running:
      text.append(verb.running);
      break;
    case step_status::done:
      text.append(verb.done).append(took);
      break;
    case step_status::failed:
      text.append(verb.noun).append(" FAILED").append(took);
      break;
    case step_status::interrupted:
      text.append(verb.noun).append(" never finished");
      break;
  }
  if (step.status == step_status::done && !step.id_value.empty()) {
    text.append(" [")
        .append(one_line(step.id_key))
        .append("=")
        .append(one_line(step.id_value))
        .append("]");
  }
  return text;
}

}  // namespace

void plain_progress::say(const run_now& now, std::optional<ui::time_point> at,
                         std::string_view text) {
  out_(clock_text(at) + progress_text(now()) + " " + std::string{text});
}

void plain_progress::resource_changed(const run_now& now, feed::row_number row,
                                      const feed::resource_row& resource) {
  auto& said = said_[row];
  for (std::size_t i = 0; i < resource.steps.size(); ++i) {
    const feed::step& step = resource.steps[i];
    const std::uint64_t key = std::uint64_t{row} << 32U | i;
    if (i == said.size()) {
      said.push_back(step_status::running);
      if (step.status == step_status::running)
        open_[key] = {std::string{resource.addr}, step.action, step.started_at};
      if (step.status == step_status::running && worth_a_line(step)) {
        say(now, step.started_at, describe(resource, step));
      }
    }
    if (step.status == said[i]) continue;
    said[i] = step.status;
    open_.erase(key);
    if (worth_a_line(step)) {
      say(now, step.ended_at ? step.ended_at : now().last_line_at, describe(resource, step));
    }
  }
}

void plain_progress::diagnostic(const run_now& now, const feed::diagnostic_row& diagnostic) {
  // OpenTofu too tells warnings of one kind once in full: a module used everywhere brings many.
  if (diagnostic.severity == "warning" && !warned_.insert(diagnostic.summary).second) {
    return say(now, diagnostic.at, diagnostic_in_short(diagnostic));
  }
  for (const std::string& line : diagnostic_lines(diagnostic, render::ink::colours::no)) out_(line);
  for (const std::string_view line : advice(diagnostic)) out_(line);
}

void plain_progress::message(const run_now& now, const feed::message_row& message) {
  std::string text = one_line(message.text);
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return;
  text = text.substr(first, text.find_last_not_of(' ') - first + 1);
  say(now, message.at, text);
}

void plain_progress::summary(const run_now& now) {
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
  const feed::run_view run = now();
  if (run.applied)
    say(now, run.last_line_at, "Applied: " + counts(*run.applied, "ed"));
  else if (run.planned)
    say(now, run.last_line_at, "Plan: " + counts(*run.planned, ""));
}

std::string plain_progress::still_running(const feed::run_view& run,
                                          std::chrono::microseconds since_last_line) const {
  if (open_.empty()) return "";
  std::vector<const open_step*> oldest;
  for (const auto& [key, step] : open_) oldest.push_back(&step);
  std::sort(oldest.begin(), oldest.end(), [](const open_step* a, const open_step* b) {
    return std::tie(a->started_at, a->addr) < std::tie(b->started_at, b->addr);
  });
  std::string text = "still running " + std::to_string(oldest.size()) + ":";
  constexpr std::size_t named = 3;
  for (std::size_t i = 0; i < std::min(named, oldest.size()); ++i) {
    text.append(i == 0 ? " " : ", ").append(one_line(oldest[i]->addr)).append(" ");
    text.append(words(oldest[i]->action).running);
    if (oldest[i]->started_at && run.last_line_at) {
      text.append(" ").append(
          duration_text(*run.last_line_at - *oldest[i]->started_at + since_last_line));
    }
  }
  if (oldest.size() > named)
    text.append(", and ").append(std::to_string(oldest.size() - named)).append(" more");
  std::optional<ui::time_point> at;
  if (run.last_line_at) at = *run.last_line_at + since_last_line;
  return clock_text(at) + progress_text(run) + " " + text;
}

}  // namespace tofud::terminal
