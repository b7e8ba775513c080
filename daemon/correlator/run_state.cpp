#include "daemon/correlator/run_state.hpp"

#include "daemon/correlator/limits.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/feed/run_path.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <utility>

namespace tofud::correlator {

using feed::resource_status;
using feed::row_kind;
using feed::row_number;
using feed::run_phase;
using feed::run_status;
using feed::step_action;
using feed::step_status;

run_state::run_state(run_identity identity, row_sink& watcher)
    : identity_{std::move(identity)}, watcher_{watcher} {}

std::optional<row_number> run_state::new_row(row_kind kind, std::size_t index) {
  if (rows_.size() >= limits::rows_per_run) {
    if (!full_) {
      full_ = true;
      // One row beyond the limit says so.
      const auto number = static_cast<row_number>(rows_.size());
      rows_.push_back({row_kind::message, static_cast<std::uint32_t>(message_rows_.size()), 0});
      feed::message_row row{static_cast<std::uint32_t>(message_rows_.size() + 1), "error", "stream",
                            "too many rows: what comes new from here on is counted, not shown",
                            last_line_at_};
      message_rows_.push_back({std::move(row), number});
      touch(number);
    }
    return {};
  }
  rows_.push_back({kind, static_cast<std::uint32_t>(index), 0});
  return static_cast<row_number>(rows_.size() - 1);
}

void run_state::leave_out(const resource_state& resource) {
  ++unmatched_;
  if (std::exchange(has_left_out_, true)) return;
  note("warning", std::string{resource.row.addr} +
                      " has more planned actions, or steps and provisioners, than are kept of one "
                      "resource (" +
                      std::to_string(limits::parts_of_resource) +
                      "): what comes beyond is counted, not shown");
}

void run_state::touch(row_number row) {
  rows_[row].seq = ++seq_;
  watcher_.changed(*this, {row, seq_});
}

void run_state::touch(resource_state& resource) {
  settle(resource);
  touch(resource.number);
}

void run_state::settle(resource_state& resource) {
  resource.update_status(facts_);
  const auto add = [this](const resource_state::share& share, std::uint64_t one) {
    // Unsigned arithmetic wraps, so `one` may be minus one.
    if (!share.status) return;
    counts_[static_cast<std::size_t>(*share.status)] += one;
    open_steps_ += one * share.open;
    open_changes_ += one * share.open_changes;
    if (!share.owes_change) return;
    progress_total_ += one;
    if (*share.status == resource_status::done) progress_done_ += one;
  };
  add(resource.counted, ~std::uint64_t{0});
  resource.counted = resource.current_share();
  add(resource.counted, 1);
}

std::string_view run_state::kept_word(std::string_view word) {
  if (word.empty()) return {};
  const auto found = words_.find(word);
  return found == words_.end() ? *words_.insert(kept(word)).first : *found;
}

resource_state* run_state::known_resource(std::string_view addr) {
  // Lines of one resource often come in a row.
  if (last_found_ != nullptr && last_found_->row.addr == addr) return last_found_;
  const auto found = by_addr_.find(addr);
  if (found == by_addr_.end()) return nullptr;
  return last_found_ = &resources_[found->second];
}

// An address holds most of the other names: they become views into it.
void run_state::name_row(feed::resource_row& row, const named& parts) {
  row.addr = kept(parts.addr);
  std::size_t place = 0;
  const auto within = [&](std::string_view text) {
    const std::string_view there = row.addr.substr(std::min(place, row.addr.size()), text.size());
    return there == text ? there : kept_word(text);
  };
  row.module = within(parts.module);
  row.mode = ui::mode_of(parts.relative);
  if (!parts.module.empty()) place += parts.module.size() + 1;
  if (row.mode != "managed") place += row.mode.size() + 1;
  row.type = within(parts.type);
  row.provider = within(parts.provider);
  place += parts.type.size() + 1;
  row.name = within(parts.name);
  if (parts.index == row.index) return;
  place += parts.name.size() + 1;
  row.index = within(parts.index);
}

resource_state* run_state::add_resource(const named& parts) {
  const auto number = new_row(row_kind::resource, resources_.size());
  if (!number) return nullptr;
  resource_state& added = resources_.emplace_back();
  added.number = *number;
  name_row(added.row, parts);
  by_addr_.emplace(added.row.addr, static_cast<std::uint32_t>(resources_.size() - 1));
  if (!unlinked_.empty()) {
    if (const auto waiting = unlinked_.find(std::string{added.row.addr});
        waiting != unlinked_.end()) {
      for (const std::uint32_t ordinal : waiting->second) added.add_diagnostic(ordinal);
      unlinked_.erase(waiting);
    }
  }
  learn(added);
  return &added;
}

resource_state* run_state::resource_at(const ui::resource& resource, bool& made) {
  made = false;
  if (resource_state* known = known_resource(resource.addr)) return known;
  std::string index = "null";
  if (resource.key) {
    index.clear();
    resource.key.append_json(index);
  }
  resource_state* added =
      add_resource({resource.addr, resource.module, resource.relative, resource.type, resource.name,
                    resource.implied_provider, index});
  made = added != nullptr;
  return added;
}

resource_state* run_state::resource_at(std::string_view addr, std::string_view index, bool& made) {
  made = false;
  if (resource_state* known = known_resource(addr)) return known;
  const auto parts = ui::parse_address(addr);
  if (!parts) return nullptr;
  const std::string_view provider = parts->type.substr(0, parts->type.find('_'));
  resource_state* added = add_resource(
      {addr, parts->module, parts->resource, parts->type, parts->name, provider, index});
  made = added != nullptr;
  return added;
}

std::size_t run_state::cut(std::string& text) {
  std::size_t bytes_cut = 0;
  if (identity_.cuts_texts && text.size() > limits::kept_text_bytes) {
    // Characters stay whole; what is no UTF-8 has none.
    std::size_t end = limits::kept_text_bytes;
    for (int i = 0; i < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i) --end;
    bytes_cut = text.size() - end;
    text.resize(end);
    text.shrink_to_fit();
  }
  texts_ += text.size();
  return bytes_cut;
}

std::size_t run_state::cut(feed::diagnostic_row& row) {
  std::size_t bytes_cut = cut(row.summary) + cut(row.detail);
  if (row.snippet) {
    bytes_cut += cut(row.snippet->code);
    const auto end = static_cast<std::int64_t>(row.snippet->code.size());
    row.snippet->highlight_start_offset = std::min(row.snippet->highlight_start_offset, end);
    row.snippet->highlight_end_offset = std::min(row.snippet->highlight_end_offset, end);
    for (feed::expression_value& each : row.snippet->values)
      bytes_cut += cut(each.traversal) + cut(each.statement);
  }
  return bytes_cut;
}

std::size_t run_state::bytes_cut(row_number row) const {
  const row_entry& entry = rows_[row];
  if (entry.kind == row_kind::diagnostic) return diagnostics_[entry.index].bytes_cut;
  if (entry.kind == row_kind::output) return outputs_[entry.index].bytes_cut;
  if (entry.kind == row_kind::message) return message_rows_[entry.index].bytes_cut;
  return 0;
}

std::size_t run_state::memory() const {
  constexpr std::size_t each_resource = sizeof(resource_state) + 2 * sizeof(feed::step);
  constexpr std::size_t each_row = sizeof(row_entry) + 512;  // and its places in indices and topics
  return rows_.size() * each_row + resources_.size() * each_resource + text_.size() + texts_ +
         diagnostics_.size() * sizeof(feed::diagnostic_row);
}

void run_state::add_message(std::string_view level, std::string_view type, std::string_view text,
                            std::optional<ui::time_point> at) {
  const auto number = new_row(row_kind::message, message_rows_.size());
  if (!number) return;
  feed::message_row row;
  row.ordinal = static_cast<std::uint32_t>(message_rows_.size() + 1);
  row.level = level;
  row.type = type;
  row.text = text;
  hide(row);
  const std::size_t bytes_cut = cut(row.text);
  row.at = at;
  message_rows_.push_back({std::move(row), *number, bytes_cut});
  touch(*number);
}

void run_state::note(std::string_view level, std::string_view text) {
  add_message(level, "stream", text, last_line_at_);
}

void run_state::mark_interleaved() {
  if (interleaved_) return;
  interleaved_ = true;
  note("warn", "two programs write into this stream at once; what is shown mixes both");
}

void run_state::mark_unsupported(std::string_view ui) {
  unsupported_ = true;
  note("error", "this stream has UI version " + std::string{ui} +
                    ", tofud understands version 1; its lines are shown as text");
}

void run_state::emit_line(row_kind kind, row_number subject, std::string_view text) {
  watcher_.line(*this, {kind, subject, seq_, line_json_, text});
}

void run_state::apply_text(std::string_view line) {
  ++text_lines_;
  ++seq_;
  line = hidden(line);
  line_json_.clear();
  feed::encode(line_json_, feed::text_line{text_lines_, line},
               {identity_.id, seq_, identity_.line_limit, identity_.base_path});
  emit_line(row_kind::text, feed::no_row, line);
}

void run_state::end(followed next) {
  if (facts_.over) return;
  const bool only_version = messages_ == 1 && versions_ == 1;
  status_ = only_version && next == followed::yes ? run_status::succeeded : infer_status();
  facts_.over = true;
  facts_.succeeded = status_ == run_status::succeeded;
  if (!facts_.apply_ran) phase_ = run_phase::plan;
  for (resource_state& resource : resources_) {
    const bool closed = resource.close_open(
        facts_.succeeded ? step_status::done : step_status::interrupted, facts_.succeeded);
    const auto before = resource.row.status;
    const bool inferred_before = resource.row.inferred;
    settle(resource);
    if (closed || before != resource.row.status || inferred_before != resource.row.inferred) {
      touch(resource.number);
    }
  }
}

std::string run_state::path() const { return feed::run_path(identity_.base_path, identity_.id); }

feed::row_facts run_state::facts(row_number row) const {
  const row_entry& entry = rows_[row];
  if (entry.kind == row_kind::resource) {
    const feed::resource_row& resource = resources_[entry.index].row;
    return {entry.kind, resource.addr, resource.module, resource.type};
  }
  if (entry.kind == row_kind::diagnostic) {
    const std::string_view addr = diagnostics_[entry.index].row.address;
    if (const auto parts = ui::parse_address(addr))
      return {entry.kind, addr, parts->module, parts->type};
  }
  return {entry.kind, {}, {}, {}};
}

void run_state::encode(std::string& out, row_number row, feed::sequence seq,
                       feed::cut limit) const {
  const row_entry& entry = rows_[row];
  feed::row_context context{identity_.id, seq, limit, identity_.base_path};
  switch (entry.kind) {
    case row_kind::resource:
      return feed::encode(out, resources_[entry.index].row, context);
    case row_kind::diagnostic:
      context.left_out = diagnostics_[entry.index].bytes_cut;
      return feed::encode(out, diagnostics_[entry.index].row, context);
    case row_kind::output:
      context.left_out = outputs_[entry.index].bytes_cut;
      return feed::encode(out, outputs_[entry.index].row, context);
    case row_kind::message:
      context.left_out = message_rows_[entry.index].bytes_cut;
      return feed::encode(out, message_rows_[entry.index].row, context);
    case row_kind::test_file:
      return feed::encode(out, test_files_[entry.index].row, context);
    case row_kind::test_run:
      return feed::encode(out, test_runs_[entry.index].row, context);
    case row_kind::run:
    case row_kind::forecast:
    case row_kind::stack:
    case row_kind::log:
    case row_kind::text:
      break;  // views and lines are no rows
  }
}

std::optional<row_number> run_state::find(row_kind kind, std::string_view key) const {
  const auto by_ordinal = [&](const auto& rows) -> std::optional<row_number> {
    const auto ordinal = text::parse_whole_number<std::uint32_t>(key);
    if (!ordinal || *ordinal == 0 || *ordinal > rows.size()) return {};
    return rows[*ordinal - 1].number;
  };
  const auto by_key = [&](const auto& map, const auto& rows) -> std::optional<row_number> {
    const auto found = map.find(typename std::decay_t<decltype(map)>::key_type{key});
    if (found == map.end()) return {};
    return rows[found->second].number;
  };
  switch (kind) {
    case row_kind::resource:
      return by_key(by_addr_, resources_);
    case row_kind::output:
      return by_key(by_output_, outputs_);
    case row_kind::test_file:
      return by_key(by_test_file_, test_files_);
    case row_kind::test_run:
      return by_key(by_test_run_, test_runs_);
    case row_kind::diagnostic:
      return by_ordinal(diagnostics_);
    case row_kind::message:
      return by_ordinal(message_rows_);
    case row_kind::run:
    case row_kind::forecast:
    case row_kind::stack:
    case row_kind::log:
    case row_kind::text:
      break;
  }
  return {};
}

const feed::resource_row* run_state::resource(row_number row) const {
  const row_entry& entry = rows_[row];
  return entry.kind == row_kind::resource ? &resources_[entry.index].row : nullptr;
}

const feed::diagnostic_row* run_state::diagnostic(row_number row) const {
  const row_entry& entry = rows_[row];
  return entry.kind == row_kind::diagnostic ? &diagnostics_[entry.index].row : nullptr;
}

const feed::message_row* run_state::message(row_number row) const {
  const row_entry& entry = rows_[row];
  return entry.kind == row_kind::message ? &message_rows_[entry.index].row : nullptr;
}

std::vector<std::string_view> run_state::output_names() const {
  std::vector<std::string_view> names;
  for (const auto& output : outputs_) names.push_back(output.row.name);
  return names;
}

bool run_state::show_approval() {
  if (!may_wait_for_approval() || approval_shown_) return false;
  approval_shown_ = true;
  return true;
}

feed::run_view run_state::view() const {
  feed::run_view view;
  view.id = identity_.id;
  view.command = command();
  view.status = status_;
  view.phase = approval_shown_ && may_wait_for_approval() ? run_phase::approval : phase_;
  view.tofu = tofu_;
  view.terraform = terraform_;
  view.ui = ui_;
  view.labels = identity_.labels;
  std::copy(std::begin(counts_), std::end(counts_), view.counts);
  view.progress_done = progress_done_;
  view.progress_total = progress_total_;
  view.planned = planned_;
  view.applied = applied_;
  view.errors = errors_;
  view.warnings = warnings_;
  view.started_at = started_at_;
  view.last_line_at = last_line_at_;
  if (facts_.over) view.ended_at = last_line_at_;
  view.exit_status = exit_status_;
  view.messages = messages_;
  view.text = text_lines_;
  view.log = log_lines_;
  view.unmatched = unmatched_;
  view.malformed = malformed_;
  view.stack = identity_.stack;
  view.tests = tests_;
  view.interleaved = interleaved_;
  view.attached[static_cast<std::size_t>(feed::attachment::plan)] = attached_.plan != nullptr;
  view.attached[static_cast<std::size_t>(feed::attachment::schemas)] = attached_.schemas != nullptr;
  view.attached[static_cast<std::size_t>(feed::attachment::config)] = attached_.config != nullptr;
  return view;
}

}  // namespace tofud::correlator
