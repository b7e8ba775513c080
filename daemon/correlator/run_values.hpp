// What a run is made of, and the changes that several of its parts take together. Of this folder
// alone: others see a run_state.
#pragma once

#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/run_causes.hpp"
#include "daemon/correlator/run_course.hpp"
#include "daemon/correlator/run_identity.hpp"
#include "daemon/correlator/run_rows.hpp"
#include "protocol/redact/hider.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::correlator {

/// Owners and providers of resources as an attached configuration has them, views into it; at most
/// limits::names_of_a_run each.
struct named_in_rows {
  std::set<std::string_view> owners;
  std::set<const config::locked_provider*> providers;
};

/// What is attached, and what of it rows have.
struct attached_values {
  run_attachments known;
  named_in_rows named;
  /// Of resources that the plan has: which of its facts an entry of theirs has.
  boost::unordered_flat_map<feed::row_number, std::vector<bool>> taken;
  std::optional<redact::hider> hider;
  bool plan_laid = false;

  /// Without the attached plan's sensitive values; valid until the next text.
  std::string_view without_hidden(std::string_view text) {
    return hider ? hider->text(text) : text;
  }
};

/// Which programs wrote the stream, as they said.
struct run_programs {
  std::string tofu, terraform, ui;
};

struct run_values {
  run_identity identity;
  row_sink& sink;
  run_state& whole;  // that this is of: what the sink is told about
  run_programs programs = {};
  run_rows rows = {};
  run_totals totals = {};
  run_course course = {};
  attached_values attached = {};
  run_causes causes = {};
  std::string line_json = {};  // of the line that is being told
};

/// Message to rows (apply_message.cpp).
void apply(run_values& run, const ui::envelope& head, const ui::message& message);
void apply_text(run_values& run, std::string_view line);

/// A file of tests, or a run of one, has a status; made if need be (test_rows.cpp).
void set_test_file(run_values& run, std::string_view path, std::string_view status);
void set_test_run(run_values& run, std::string_view path, std::string_view name,
                  std::string_view status);

// ---- rows ---------------------------------------------------------------------------------------

/// The number of a new row; nothing once there are limits::rows_per_run.
std::optional<feed::row_number> new_row(run_values& run, feed::row_kind kind, std::size_t index);
/// The row gets its number, and the sink is told.
void touch(run_values& run, feed::row_number row);
/// Settles the resource's status and the run's totals first.
void touch(run_values& run, resource_state& resource);
void settle(run_values& run, resource_state& resource);
/// The same as if those facts were the run's.
void settle(run_values& run, resource_state& resource, const run_facts& facts);
/// The resource of that address, made if need be; null if there are too many rows.
resource_state* resource_at(run_values& run, const ui::resource& resource, bool& made);
resource_state* resource_at(run_values& run, std::string_view addr, std::string_view index,
                            bool& made);
/// Counts what came of a resource that has as much as is kept, and says so once.
void leave_out(run_values& run, const resource_state& resource);
void add_message(run_values& run, std::string_view level, std::string_view type,
                 std::string_view text, std::optional<ui::time_point> at);
/// A row about the stream itself.
void note(run_values& run, std::string_view level, std::string_view text);
void emit_line(run_values& run, feed::row_kind kind, feed::row_number subject,
               std::string_view text);
/// Cuts a text that is to be kept; returns how many bytes went.
std::size_t cut(const run_identity& identity, run_rows& rows, std::string& text);
std::size_t cut(const run_identity& identity, run_rows& rows, feed::diagnostic_row& row);

// ---- what is attached (apply_attachments.cpp) ---------------------------------------------------

void attach(run_values& run, const run_attachments& known);
/// Takes it in without a change to any row. True if values are hidden that were not before.
bool take(attached_values& attached, const run_attachments& known);
/// What is attached about it, into its row. True if the row differs.
bool set_facts(run_values& run, resource_state& resource);
bool set_facts(const attached_values& attached, feed::diagnostic_row& row);
/// Whom its configuration names.
void note_names(attached_values& attached, const feed::resource_row& row);
/// What is attached about its newest planned entry, and about a step that was just opened.
void learn_planned(run_values& run, resource_state& resource);
void learn_step(const attached_values& attached, resource_state& resource, feed::step& opened);
feed::annotations annotated(const attached_values& attached, std::string_view address);
/// A saved plan is applied whose stream leaves out what that plan alone says
/// (protocol/ui/README.md: traps).
bool applies_saved_plan(const run_values& run);
void add_planned_rows(run_values& run);

// ---- what waits for what (run_causes.hpp)
// --------------------------------------------------------

/// How the program that runs it lets operations begin.
order::waiting_by waits_by(const run_programs& of);
/// What is planned is known.
void prepare_causes(run_values& run);
/// Before an operation of an apply begins: from now on it is told.
void begin_causes(run_values& run);
/// The same after something more was attached.
void begin_causes_again(run_values& run);
/// Nothing is said any more of what waits.
void stop_waiting(run_values& run);
/// Rows get their numbers whose causes are others now.
void tell_causes(run_values& run);

// ---- what is hidden (hide.cpp) ------------------------------------------------------------------

/// Without the attached plan's sensitive values. True if one of the texts had such a value.
bool hide(attached_values& attached, feed::diagnostic_row& row);
bool hide(attached_values& attached, feed::output_row& row);
bool hide(attached_values& attached, feed::message_row& row);
/// What came before the plan. Lines of logs are gone.
void hide_rows(run_values& run);

}  // namespace tofud::correlator
