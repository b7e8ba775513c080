#include "daemon/correlator/run_values.hpp"

#include "daemon/correlator/limits.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <utility>

namespace tofud::correlator {

using feed::row_kind;
using feed::row_number;

std::optional<row_number> new_row(run_values& run, row_kind kind, std::size_t index) {
  if (run.rows.entries.size() >= limits::rows_per_run) {
    if (!run.rows.full) {
      run.rows.full = true;
      // One row beyond the limit says so.
      const auto number = static_cast<row_number>(run.rows.entries.size());
      run.rows.entries.push_back(
          {row_kind::message, static_cast<std::uint32_t>(run.rows.messages.size())});
      feed::message_row row{static_cast<std::uint32_t>(run.rows.messages.size() + 1), "error",
                            "stream",
                            "too many rows: what comes new from here on is counted, not shown",
                            run.course.last_line_at};
      run.rows.messages.push_back({std::move(row), number});
      touch(run, number);
    }
    return {};
  }
  run.rows.entries.push_back({kind, static_cast<std::uint32_t>(index)});
  return static_cast<row_number>(run.rows.entries.size() - 1);
}

void leave_out(run_values& run, const resource_state& resource) {
  ++run.totals.unmatched;
  if (std::exchange(run.course.has_left_out, true)) return;
  note(run, "warning",
       std::string{resource.row.addr} +
           " has more planned actions, or steps and provisioners, than are kept of one "
           "resource (" +
           std::to_string(limits::parts_of_resource) +
           "): what comes beyond is counted, not shown");
}

void touch(run_values& run, row_number row) {
  run.rows.entries[row].seq = ++run.rows.seq;
  run.sink.changed(run.whole, {row, run.rows.seq});
}

void touch(run_values& run, resource_state& resource) {
  settle(run, resource);
  touch(run, resource.number);
}

namespace {

void note_times(run_totals& totals, const feed::resource_row& row) {
  for (const feed::step& each : row.steps) {
    if (each.phase != feed::run_phase::apply || !each.started_at || !each.ended_at) continue;
    totals.applied_from =
        std::min(totals.applied_from.value_or(*each.started_at), *each.started_at);
    totals.applied_to = std::max(totals.applied_to.value_or(*each.ended_at), *each.ended_at);
  }
}

}  // namespace

void settle(run_values& run, resource_state& resource) { settle(run, resource, run.course.facts); }

void settle(run_values& run, resource_state& resource, const run_facts& facts) {
  resource.update_status(facts);
  const resource_state::share share = resource.current_share();
  if (share.open < resource.counted.open) note_times(run.totals, resource.row);
  run.totals.add(resource.counted, ~std::uint64_t{0});
  resource.counted = share;
  run.totals.add(resource.counted, 1);
  run.rows.unsettled[resource.row.first - 1] = resource.is_unsettled();
  if (resource.row.status == feed::resource_status::failed && !run.rows.first_failed)
    run.rows.first_failed = resource.row.first - 1;
}

namespace {

resource_state* add_resource(run_values& run, std::string_view addr,
                             const feed::address_parts& parts) {
  const auto number = new_row(run, row_kind::resource, run.rows.resources.size());
  if (!number) return nullptr;
  resource_state& added = run.rows.add_resource(*number, addr, parts);
  set_facts(run, added);
  return &added;
}

}  // namespace

resource_state* resource_at(run_values& run, const ui::resource& resource, bool& made) {
  made = false;
  if (resource_state* known = run.rows.resource_at(resource.addr)) return known;
  std::string index = "null";
  if (resource.key) {
    index.clear();
    resource.key.append_json(index);
  }
  resource_state* added =
      add_resource(run, resource.addr,
                   {resource.module, ui::mode_of(resource.relative), resource.type, resource.name,
                    index, resource.implied_provider});
  made = added != nullptr;
  return added;
}

resource_state* resource_at(run_values& run, std::string_view addr, std::string_view index,
                            bool& made) {
  made = false;
  if (resource_state* known = run.rows.resource_at(addr)) return known;
  const auto parts = ui::parse_address(addr);
  if (!parts) return nullptr;
  const std::string_view provider = parts->type.substr(0, parts->type.find('_'));
  resource_state* added = add_resource(
      run, addr, {parts->module, parts->mode, parts->type, parts->name, index, provider});
  made = added != nullptr;
  return added;
}

order::waiting_by waits_by(const run_programs& of) {
  return of.terraform.empty() ? order::waiting_by::module_instance : order::waiting_by::block;
}

void prepare_causes(run_values& run) {
  if (run.causes.was_begun() || run.identity.command == feed::run_command::plan) return;
  run.causes.prepare(run.rows, run.attached.known, waits_by(run.programs));
}

void begin_causes(run_values& run) {
  if (run.causes.was_begun()) return;
  run.causes.begin(run.rows, run.attached.known, waits_by(run.programs));
}

void begin_causes_again(run_values& run) {
  if (run.course.facts.over) return;
  if (!run.causes.was_begun()) {
    if (run.totals.planned) prepare_causes(run);
    return;
  }
  run.causes.begin_again(run.rows, run.attached.known, waits_by(run.programs));
  tell_causes(run);
}

void stop_waiting(run_values& run) {
  run.causes.stop_waiting();
  tell_causes(run);
}

void tell_causes(run_values& run) {
  if (!run.causes.is_on()) return;
  for (const std::uint32_t place : run.causes.take_changed())
    touch(run, run.rows.resources[place].number);
  if (const auto said = run.causes.take_contradiction()) note(run, "warn", *said);
}

std::size_t cut(const run_identity& identity, run_rows& rows, std::string& text) {
  std::size_t bytes_cut = 0;
  if (identity.cuts_texts && text.size() > limits::kept_text_bytes) {
    // Characters stay whole; what is no UTF-8 has none.
    std::size_t end = limits::kept_text_bytes;
    for (int i = 0; i < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i) --end;
    bytes_cut = text.size() - end;
    text.resize(end);
    text.shrink_to_fit();
  }
  rows.texts += text.size();
  return bytes_cut;
}

std::size_t cut(const run_identity& identity, run_rows& rows, feed::diagnostic_row& row) {
  std::size_t bytes_cut = cut(identity, rows, row.summary) + cut(identity, rows, row.detail);
  if (row.snippet) {
    bytes_cut += cut(identity, rows, row.snippet->code);
    const auto end = static_cast<std::int64_t>(row.snippet->code.size());
    row.snippet->highlight_start_offset = std::min(row.snippet->highlight_start_offset, end);
    row.snippet->highlight_end_offset = std::min(row.snippet->highlight_end_offset, end);
    for (feed::expression_value& each : row.snippet->values)
      bytes_cut += cut(identity, rows, each.traversal) + cut(identity, rows, each.statement);
  }
  return bytes_cut;
}

void add_message(run_values& run, std::string_view level, std::string_view type,
                 std::string_view text, std::optional<ui::time_point> at) {
  const auto number = new_row(run, row_kind::message, run.rows.messages.size());
  if (!number) return;
  feed::message_row row;
  row.ordinal = static_cast<std::uint32_t>(run.rows.messages.size() + 1);
  row.level = level;
  row.type = type;
  row.text = text;
  hide(run.attached, row);
  const std::size_t bytes_cut = cut(run.identity, run.rows, row.text);
  row.at = at;
  run.rows.messages.push_back({std::move(row), *number, bytes_cut});
  touch(run, *number);
}

void note(run_values& run, std::string_view level, std::string_view text) {
  add_message(run, level, "stream", text, run.course.last_line_at);
}

void emit_line(run_values& run, row_kind kind, row_number subject, std::string_view text) {
  run.sink.line(run.whole, {kind, subject, run.rows.seq, run.line_json, text});
}

void apply_text(run_values& run, std::string_view line) {
  ++run.totals.text_lines;
  ++run.rows.seq;
  line = run.attached.without_hidden(line);
  run.line_json.clear();
  feed::encode(run.line_json, feed::text_line{run.totals.text_lines, line},
               {run.identity.id, run.rows.seq, run.identity.line_limit, run.identity.base_path});
  emit_line(run, row_kind::text, feed::no_row, line);
}

}  // namespace tofud::correlator
