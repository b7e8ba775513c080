#include "daemon/terminal/stdout_view.hpp"

#include "daemon/spool/notice.hpp"
#include "daemon/terminal/diagnostic.hpp"
#include "daemon/terminal/github.hpp"
#include "daemon/terminal/gitlab.hpp"
#include "daemon/terminal/limits.hpp"
#include "daemon/terminal/live_block.hpp"
#include "daemon/terminal/osc.hpp"
#include "daemon/terminal/report.hpp"
#include "daemon/terminal/step_summary_file.hpp"
#include "protocol/diagnostics/erasure.hpp"
#include "protocol/text/ascii.hpp"

#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tofud::terminal {

using terminal::progress_mode;

namespace {

// Beyond every mode there is.
constexpr std::uint32_t shown_beside = 100;

terminal::finished_run finished(const correlator::run_state& state) {
  terminal::finished_run run;
  run.run = state.view();
  for (const auto& resource : state.resources()) run.resources.push_back(&resource.row);
  for (std::size_t i = 0; i < state.diagnostics(); ++i) {
    run.diagnostics.push_back(&state.diagnostic_at(i));
  }
  run.outputs = state.output_names();
  return run;
}

terminal::how_far how_far_is(const correlator::run_state& state) {
  terminal::how_far run;
  run.command = state.command();
  run.done = state.progress().done;
  run.total = state.progress().total;
  run.last_line_at = state.last_line_at();
  return run;
}

terminal::plain_manner manner_of(const stdout_options& options, const terminal::style& look,
                                 int fd) {
  terminal::plain_manner manner;
  manner.look = look;
  manner.usual = options.usual;
  manner.estimate = options.estimate;
  if (options.mode == progress_mode::tty) {
    manner.marks = true;
    manner.starts = false;  // the block shows them
    manner.done_per_second = limits::told_per_second;
    manner.width = [fd] { return terminal::size_of_screen(fd).width; };
  }
  return manner;
}

std::string folder_in_workspace(const terminal::environment& env, const std::string& root) {
  const char* workspace = env("GITHUB_WORKSPACE");
  std::error_code failed;
  const std::filesystem::path here =
      root.empty() ? std::filesystem::current_path(failed) : std::filesystem::path{root};
  if (workspace == nullptr || failed) return "";
  return terminal::github::folder(workspace, here.string());
}

bool writes(progress_mode mode) {
  return mode != progress_mode::json && mode != progress_mode::none;
}

// tofu has stdout, and prints there what people read.
bool shares_terminal(progress_mode mode) {
  return mode == progress_mode::around || mode == progress_mode::between;
}

bool has_block(progress_mode mode) {
  return mode == progress_mode::tty || mode == progress_mode::between;
}

}  // namespace

stdout_view::stdout_view(stdout_options options)
    : options_{std::move(options)},
      fd_{options_.fd >= 0                 ? options_.fd
          : shares_terminal(options_.mode) ? STDERR_FILENO
                                           : STDOUT_FILENO},
      on_terminal_{::isatty(fd_) != 0},
      sections_{options_.mode, [this](std::string_view line) { put(line, sort::order); }} {
  if (!writes(options_.mode)) return;
  if (options_.mode == progress_mode::tty) {
    lock_ = std::make_unique<terminal::screen_lock>(fd_);
    const bool taken = lock_->result() == terminal::screen_lock::outcome::taken;
    beside_ = options_.shown_before == 0 ? taken : options_.shown_before == shown_beside;
    if (beside_) options_.mode = progress_mode::plain;
  }
  // In any mode there: its runner reads whatever is printed.
  on_github_ = options_.mode == progress_mode::github || terminal::on_github(options_.env);
  look_.coloured = terminal::wants_colour(options_.colour, on_terminal_, options_.env);
  if (on_terminal_) {
    look_.set = terminal::charset_of(options_.env);
    links_ = options_.mode == progress_mode::tty && terminal::takes_links(options_.env);
    osc_ = options_.mode == progress_mode::tty && terminal::takes_osc_progress(options_.env);
  }
  if (on_github_) folder_ = folder_in_workspace(options_.env, options_.directory);
  auto written = [this](std::uint64_t lines) {
    if (options_.printed) options_.printed(options_.printed_before + lines);
  };
  writer_ = std::make_unique<terminal::line_writer>(fd_, std::move(written),
                                                    has_block(options_.mode)
                                                        ? terminal::line_writer::with_block::yes
                                                        : terminal::line_writer::with_block::no);
}

stdout_view::~stdout_view() = default;

std::uint32_t stdout_view::shown_as() const {
  return beside_ ? shown_beside : static_cast<std::uint32_t>(options_.mode) + 1;
}

std::string stdout_view::dressed(std::string_view line) const {
  std::string text{line};
  if (on_github_) text = terminal::github::defused(text);
  text = terminal::in_charset(text, look_.set);
  // The other one's cursor rests where its block begins: this line takes the block's place, and the
  // next frame comes below it.
  if (beside_)
    text = std::string{diagnostics::erase_from_here} + "[" + terminal::one_line(options_.name) +
           "] " + text;
  return text;
}

void stdout_view::put(std::string_view line, sort what) {
  if (!writer_ || printed_++ < options_.printed_before) return;
  const bool is_itself = what == sort::order || (!on_github_ && !beside_ && text::is_ascii(line));
  if (is_itself)
    writer_->write(line);
  else
    writer_->write(dressed(line));
  at_.last_print = at_.now;
  changed_ = true;
  // No frame will come that takes the line along.
  if (finished_ || options_.mode == progress_mode::between) erase_block();
}

void stdout_view::begin(std::string_view what, std::string_view url) {
  std::string line{what};
  if (!url.empty()) {
    line += ": ";
    line += links_ ? terminal::link(url, url) : std::string{url};
  }
  put(line);
}

void stdout_view::say(std::string_view line) { put(line); }

void stdout_view::lose_sight(std::string_view line) {
  lost_sight_ = true;
  put(line);
}

void stdout_view::tell(std::string_view line) {
  if (sections_.wanted()) {
    const feed::run_view run = current_->view();
    const bool stays = ends_plan_ && sections_.open();
    if (!stays) {
      sections_.enter(ends_plan_ ? feed::run_phase::plan : run.phase, run_number_,
                      run.last_line_at);
    }
  }
  put(line);
}

void stdout_view::run_began(correlator::run_state& state) {
  if (!writer_) return;
  current_ = &state;
  told_diagnostics_ = 0;
  ++run_number_;
  if (options_.mode == progress_mode::around) return;
  const bool tells = options_.mode != progress_mode::between;
  progress_.emplace(
      [this, tells](std::string_view line) {
        if (tells) tell(line);
      },
      manner_of(options_, look_, fd_));
}

void stdout_view::changed(correlator::run_state& state, feed::row_change change) {
  const feed::row_number row = change.row;
  if (!progress_) return;
  changed_ = true;
  const auto now = [&] { return how_far_is(state); };
  if (const auto* resource = state.resource(row)) {
    progress_->resource_changed(now, row, *resource);
    if (options_.mode == progress_mode::between && progress_->running().size() == 0) {
      erase_block();
    }
  } else if (const auto* diagnostic = state.diagnostic(row)) {
    // What is attached later may change one that stands there already.
    if (diagnostic->ordinal <= told_diagnostics_) return;
    told_diagnostics_ = diagnostic->ordinal;
    progress_->diagnostic(now, *diagnostic);
    if (options_.mode == progress_mode::github) annotate(state, *diagnostic);
  } else if (const auto* message = state.message(row)) {
    progress_->message(now, *message);
  } else if (const auto* file = state.test_file(row)) {
    progress_->test(now, file->path, file->status);
  } else if (const auto* run = state.test_run(row)) {
    progress_->test(now, "  run \"" + run->name + "\"", run->status);
  }
}

void stdout_view::line(correlator::run_state& state, const feed::line_change& line) {
  if (!progress_) return;
  if (line.kind != feed::row_kind::log) {
    progress_->text([&] { return how_far_is(state); }, line.text);
  } else if (has_block(options_.mode)) {
    progress_->log(line.subject, line.text);
    changed_ = true;
  }
}

void stdout_view::summary_came(correlator::run_state& state) {
  if (!progress_) return;
  const feed::run_view run = state.view();
  ends_plan_ = !run.applied;
  progress_->summary(run);
  ends_plan_ = false;
}

void stdout_view::run_ended(correlator::run_state& state) {
  if (!writer_) return;
  if (progress_) progress_->end([&] { return how_far_is(state); });
  sections_.leave(state.last_line_at());
  if (lost_sight_) return;
  if (shares_terminal(options_.mode)) mark_errors(state);
  print_report(state);
}

void stdout_view::annotate(const correlator::run_state& state,
                           const feed::diagnostic_row& diagnostic) {
  auto& count = diagnostic.severity == "error" ? annotated_errors_ : annotated_warnings_;
  if (count++ >= limits::annotations) return;
  put(terminal::github::annotation(diagnostic, folder_, state.annotated(diagnostic.address)),
      sort::order);
}

// tofu has printed them; here they get to where the job's page shows them. At the end, since a line
// of ours could stand in the middle of one of tofu's.
void stdout_view::mark_errors(const correlator::run_state& state) {
  const bool on_gitlab = terminal::on_gitlab(options_.env);
  if (!on_github_ && !on_gitlab) return;
  std::size_t listed = 0;
  const std::string section = "tofud_errors_" + std::to_string(run_number_);
  const auto at = state.last_line_at();
  for (std::size_t i = 0; i < state.diagnostics(); ++i) {
    const feed::diagnostic_row& each = state.diagnostic_at(i);
    if (on_github_) {
      annotate(state, each);
    } else if (each.severity == "error" && listed < limits::errors_listed) {
      if (listed++ == 0) put(terminal::gitlab::section_start(section, "errors", at), sort::order);
      put(diagnostic_in_short(each));
    }
  }
  if (listed > 0) put(terminal::gitlab::section_end(section, at), sort::order);
}

void stdout_view::print_report(const correlator::run_state& state) {
  terminal::finished_run run = finished(state);
  if (options_.judged) run.estimates = options_.judged(state);
  std::vector<std::string> lines = terminal::report(run);
  const bool good = run.run.status == feed::run_status::succeeded;
  if (options_.mode == progress_mode::tty) lines.front().insert(0, good ? "✓ " : "✗ ");
  lines.front() = look_.paint(good ? terminal::hue::green : terminal::hue::red, lines.front());
  for (const std::string& line : lines) put(line);
  if (run.run.status == feed::run_status::unknown) {
    put("the stream contains no OpenTofu message, so the outcome is unknown; use -json (tofu … "
        "-json | tofud) or let tofud run the command (tofud run -- tofu …)");
  }
}

void stdout_view::heard(clock::time_point now) {
  at_.now = at_.heard = now;
  if (at_.started) return;
  at_.started = true;
  at_.last_print = at_.last_count = now;
}

std::chrono::microseconds stdout_view::since_last_line() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(at_.now - at_.heard);
}

void stdout_view::tick(clock::time_point now) {
  if (!at_.started) heard(now);
  at_.now = now;
  if (!writer_ || current_ == nullptr || options_.mode == progress_mode::around) return;
  if (options_.mode == progress_mode::between) return draw_between();
  if (options_.mode != progress_mode::tty) return print_count_or_heartbeat();
  const auto since = now - at_.last_frame;
  if (since >= std::chrono::seconds{1} || (changed_ && since >= limits::frame_every)) draw();
}

// Lines of the clock's are not counted: a process that is started again would print others.
void stdout_view::print_count_or_heartbeat() {
  if (current_->over()) return;
  std::string line;
  if (options_.heartbeat.count() > 0 && at_.now - at_.last_count >= limits::count_every) {
    at_.last_count = at_.now;
    line = progress_->count(current_->view(), since_last_line());
  }
  if (line.empty() && options_.heartbeat.count() > 0 &&
      at_.now - at_.last_print >= options_.heartbeat) {
    at_.last_print = at_.now;
    line = progress_->still_running(current_->view(), since_last_line());
  }
  if (line.empty()) return;
  at_.last_print = at_.now;
  writer_->write(dressed(line), terminal::line_writer::counted::no);
}

// Nothing runs while tofu plans, asks and says how it went: then the screen is its own. The block
// is erased with the last end of a step, before tofu prints what comes of it.
void stdout_view::draw_between() {
  const bool wanted = progress_ && progress_->running().size() > 0 &&
                      current_->view().phase == feed::run_phase::apply;
  if (!wanted) return;
  const auto since = at_.now - at_.last_frame;
  if (since >= std::chrono::seconds{1} || (changed_ && since >= limits::frame_every)) draw();
}

void stdout_view::draw() {
  at_.last_frame = at_.now;
  changed_ = false;
  if (current_->over()) return erase_block();
  if (!terminal::in_foreground(fd_)) return writer_->let_go();
  terminal::live_picture picture;
  picture.run = current_->view();
  picture.running = &progress_->running();
  picture.refreshed = progress_->refreshed();
  picture.planned = progress_->planned();
  picture.usual = options_.usual;
  if (options_.estimate) picture.estimate = options_.estimate();
  if (picture.run.last_line_at) picture.now = *picture.run.last_line_at + since_last_line();
  const auto lines = terminal::live_lines(picture, terminal::size_of_screen(fd_), look_);
  const auto progress = terminal::progress_of(picture.run, picture.estimate, picture.now);
  writer_->redraw(terminal::drawn(lines), osc_ ? terminal::sequence(progress) : std::string{});
}

// Once, when all is over: a run that ended in mid-stream is folded again by the next process.
void stdout_view::write_step_summary(const correlator::stream_fold& leaving) {
  const char* path = options_.env("GITHUB_STEP_SUMMARY");
  std::vector<terminal::finished_run> runs;
  for (const correlator::run_state& each : leaving.runs()) {
    if (!each.over()) continue;
    runs.push_back(finished(each));
    runs.back().url = url_;
  }
  const std::string problem = append_step_summary(path, runs);
  if (!problem.empty()) spool::notice(problem);
}

bool stdout_view::summarizes_step() const {
  const char* path = writer_ && on_github_ ? options_.env("GITHUB_STEP_SUMMARY") : nullptr;
  return path != nullptr && *path != '\0';
}

void stdout_view::finish(const correlator::stream_fold* leaving) {
  if (!writer_) return;
  // Of a replay that is broken off.
  if (current_ != nullptr) sections_.leave(current_->last_line_at());
  if (summarizes_step() && leaving != nullptr) write_step_summary(*leaving);
  finished_ = true;
  erase_block();
}

void stdout_view::erase_block() {
  if (!has_block(options_.mode)) return;
  writer_->redraw("", osc_ ? terminal::sequence({}) : std::string{});
}

}  // namespace tofud::terminal
