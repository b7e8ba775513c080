#include "daemon/correlator/run_state.hpp"

#include "daemon/correlator/limits.hpp"
#include "daemon/correlator/state_archive.hpp"
#include "protocol/diagnostics/reason.hpp"
#include "protocol/feed/run_path.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace tofud::correlator {

using feed::row_kind;
using feed::row_number;
using feed::run_phase;
using feed::run_status;
using feed::step_status;

namespace {

feed::run_command command_of(const run_values& run) {
  return run.identity.command.value_or(inferred_command(run.course));
}

}  // namespace

run_state::run_state(run_identity identity, row_sink& sink)
    : values_{std::move(identity), sink, *this} {}

void run_state::apply(const ui::envelope& head, const ui::message& message) {
  correlator::apply(values_, head, message);
}

void run_state::apply_text(std::string_view line) { correlator::apply_text(values_, line); }

void run_state::note(std::string_view level, std::string_view text) {
  correlator::note(values_, level, text);
}

void run_state::attach(const run_attachments& known) { correlator::attach(values_, known); }

void run_state::mark_interleaved() {
  if (values_.course.interleaved) return;
  values_.course.interleaved = true;
  stop_waiting(values_);
  note("warn", "two programs write into this stream at once; what is shown mixes both");
}

void run_state::mark_gap() {
  values_.course.facts.has_gap = true;
  stop_waiting(values_);
}

void run_state::mark_unsupported(std::string_view ui) {
  values_.course.unsupported = true;
  note("error", "this stream has UI version " + std::string{ui} +
                    ", tofud understands version 1; its lines are shown as text");
}

void run_state::end(followed next) { end_some(next, std::numeric_limits<std::size_t>::max()); }

bool run_state::end_some(followed next, std::size_t most) {
  if (values_.course.facts.over) return true;
  if (!ending_) begin_end(next);
  for (std::size_t& place = ending_->place; place != boost::dynamic_bitset<>::npos;
       place = values_.rows.unsettled.find_next(place)) {
    if (most-- == 0) return false;
    end(values_.rows.resources[place]);
  }
  values_.course.status = ending_->status;
  values_.course.facts = ending_->facts;
  if (!values_.course.facts.apply_ran) values_.course.phase = run_phase::plan;
  ending_.reset();
  return true;
}

void run_state::begin_end(followed next) {
  const bool only_version = values_.totals.messages == 1 && values_.totals.versions == 1;
  const auto status = only_version && next == followed::yes
                          ? run_status::succeeded
                          : inferred_status(values_.course, values_.totals, command_of(values_));
  ending_.emplace();
  ending_->status = status;
  ending_->facts = values_.course.facts;
  ending_->facts.over = true;
  ending_->facts.succeeded = status == run_status::succeeded;
  values_.causes.stop_waiting();
  ending_->with_other_causes = values_.causes.take_changed();
  // Of a million only few are not settled.
  for (const std::uint32_t place : ending_->with_other_causes) values_.rows.unsettled.set(place);
  ending_->place = values_.rows.unsettled.find_first();
}

void run_state::end(resource_state& resource) {
  const auto& others = ending_->with_other_causes;
  const bool has_other_causes =
      ending_->others < others.size() && others[ending_->others] == ending_->place;
  if (has_other_causes) ++ending_->others;
  const bool closed =
      resource.close_open(ending_->facts.succeeded ? step_status::done : step_status::interrupted,
                          ending_->facts.succeeded);
  const auto before = resource.row.status;
  const bool inferred_before = resource.row.inferred;
  settle(values_, resource, ending_->facts);
  if (closed || has_other_causes || before != resource.row.status ||
      inferred_before != resource.row.inferred) {
    touch(values_, resource.number);
  }
}

void run_state::save(state_writer& to) const {
  to.put(values_.programs);
  to.put(values_.totals);
  to.put(values_.course);
  to.put(values_.attached.taken);
  to.put(values_.attached.plan_laid);
  values_.rows.save(to);
  values_.causes.save(to);
}

void run_state::load(state_reader& from, std::span<const run_attachments> attached) {
  for (const run_attachments& each : attached) take(values_.attached, each);
  from.get(values_.programs);
  from.get(values_.totals);
  from.get(values_.course);
  from.get(values_.attached.taken);
  from.get(values_.attached.plan_laid);
  values_.rows.load(from);
  if (values_.attached.known.config) {
    for (const resource_state& each : values_.rows.resources)
      note_names(values_.attached, each.row);
  }
  values_.causes.load(from, values_.rows, values_.attached.known, waits_by(values_.programs));
}

std::string run_state::path() const {
  return feed::run_path(values_.identity.base_path, values_.identity.id);
}

void run_state::encode(std::string& out, row_number row, feed::sequence seq,
                       feed::cut limit) const {
  values_.rows.encode(out, row, {id(), seq, limit, values_.identity.base_path});
}

feed::annotations run_state::annotated(std::string_view address) const {
  return correlator::annotated(values_.attached, address);
}

const config::locked_provider* run_state::provider_of(const feed::resource_row& row) const {
  const auto& config = values_.attached.known.config;
  return config && !row.provider().empty() ? config->provider(row.provider()) : nullptr;
}

const feed::resource_row* run_state::resource(row_number row) const {
  const run_rows::entry& entry = values_.rows.entries[row];
  return entry.kind == row_kind::resource ? &values_.rows.resources[entry.index].row : nullptr;
}

const feed::diagnostic_row* run_state::diagnostic(row_number row) const {
  const run_rows::entry& entry = values_.rows.entries[row];
  return entry.kind == row_kind::diagnostic ? &values_.rows.diagnostics[entry.index].row : nullptr;
}

const feed::message_row* run_state::message(row_number row) const {
  const run_rows::entry& entry = values_.rows.entries[row];
  return entry.kind == row_kind::message ? &values_.rows.messages[entry.index].row : nullptr;
}

const feed::test_file_row* run_state::test_file(row_number row) const {
  const run_rows::entry& entry = values_.rows.entries[row];
  return entry.kind == row_kind::test_file ? &values_.rows.test_files[entry.index].row : nullptr;
}

const feed::test_run_row* run_state::test_run(row_number row) const {
  const run_rows::entry& entry = values_.rows.entries[row];
  return entry.kind == row_kind::test_run ? &values_.rows.test_runs[entry.index].row : nullptr;
}

std::vector<std::string_view> run_state::output_names() const {
  std::vector<std::string_view> names;
  for (const auto& output : values_.rows.outputs) names.push_back(output.row.name);
  return names;
}

bool run_state::show_approval() {
  if (!may_wait_for_approval() || values_.course.approval_shown) return false;
  values_.course.approval_shown = true;
  return true;
}

/// Of what failed first why, in a line, if that has come.
std::optional<feed::run_view::first_failure> run_state::first_failure() const {
  const run_rows& rows = values_.rows;
  const auto told = [](const std::string_view addr, const feed::diagnostic_row* why) {
    return feed::run_view::first_failure{
        std::string{addr},
        why == nullptr ? std::string{}
                       : text::beginning(diagnostics::reason(*why), limits::failure_summary_bytes)};
  };
  if (rows.first_failed) {
    const feed::resource_row& failed = rows.resources[*rows.first_failed].row;
    for (const std::uint32_t ordinal : failed.diagnostics) {
      const feed::diagnostic_row& each = rows.diagnostics[ordinal - 1].row;
      if (each.severity == "error") return told(failed.addr, &each);
    }
    if (failed.status == feed::resource_status::failed) return told(failed.addr, nullptr);
  }
  if (!rows.first_error) return std::nullopt;
  const feed::diagnostic_row& first = rows.diagnostics[*rows.first_error].row;
  return told(first.address, &first);
}

feed::run_command run_state::command() const { return command_of(values_); }

feed::run_view run_state::view() const {
  feed::run_view view;
  view.id = values_.identity.id;
  view.command = command_of(values_);
  view.status = values_.course.status;
  view.phase = values_.course.approval_shown && may_wait_for_approval() ? run_phase::approval
                                                                        : values_.course.phase;
  view.tofu = values_.programs.tofu;
  view.terraform = values_.programs.terraform;
  view.ui = values_.programs.ui;
  view.labels = values_.identity.labels;
  std::copy(std::begin(values_.totals.counts), std::end(values_.totals.counts), view.counts);
  view.progress = progress();
  view.planned = values_.totals.planned;
  view.applied = values_.totals.applied;
  view.diagnostics.errors = values_.totals.errors;
  view.diagnostics.warnings = values_.totals.warnings;
  view.started_at = values_.course.started_at;
  view.last_line_at = values_.course.last_line_at;
  if (values_.course.facts.over) view.ended_at = values_.course.last_line_at;
  view.exit_status = values_.course.exit_status;
  view.lines.messages = values_.totals.messages;
  view.lines.text = values_.totals.text_lines;
  view.lines.log = values_.totals.log_lines;
  view.lines.unmatched = values_.totals.unmatched;
  view.lines.malformed = values_.totals.malformed;
  view.stack = values_.identity.stack;
  view.tests = values_.totals.tests;
  view.interleaved = values_.course.interleaved;
  view.failures.first = first_failure();
  if (const auto worst = values_.causes.worst())
    view.failures.worst = {std::string{values_.rows.resources[worst->place].row.addr},
                           worst->count};
  view.attached[static_cast<std::size_t>(feed::attachment::plan)] =
      values_.attached.known.plan != nullptr;
  view.attached[static_cast<std::size_t>(feed::attachment::schemas)] =
      values_.attached.known.schemas != nullptr;
  view.attached[static_cast<std::size_t>(feed::attachment::config)] =
      values_.attached.known.config != nullptr;
  return view;
}

}  // namespace tofud::correlator
