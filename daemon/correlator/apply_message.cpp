// Message to rows: one function per kind of message.
#include "daemon/correlator/run_values.hpp"
#include "protocol/diagnostics/generated_snippet.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/feed/limits.hpp"

#include <algorithm>

namespace tofud::correlator {

using feed::row_kind;
using feed::run_phase;
using feed::step;
using feed::step_action;
using feed::step_status;

namespace {

step_action to_step(ui::hook_action action) {
  switch (action) {
    case ui::hook_action::create:
      return step_action::create;
    case ui::hook_action::read:
      return step_action::read;
    case ui::hook_action::update:
      return step_action::update;
    case ui::hook_action::remove:
      return step_action::remove;
  }
  return step_action::read;
}

step_action to_step(ui::ephemeral_action action) {
  switch (action) {
    case ui::ephemeral_action::open:
      return step_action::open;
    case ui::ephemeral_action::renew:
      return step_action::renew;
    case ui::ephemeral_action::close:
      return step_action::close;
  }
  return step_action::open;
}

// Terraform's actions name themselves first: "action.a.b, called from terraform_data.c".
std::string_view resource_named(std::string_view address) {
  constexpr std::string_view by = ", called from ";
  const std::size_t at = address.find(by);
  return at == std::string_view::npos ? address : address.substr(at + by.size());
}

void append_names(std::string& said, json::value names) {
  const json::value instance = names["instance"];
  if (const auto name = instance ? instance.string() : names.string()) {
    said.append("\n  ").append(*name);
    return;
  }
  for (const json::value each : names) append_names(said, each);
}

template <typename Line>
void for_each_line(std::string_view text, Line&& line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Assigns and tells whether that changed anything: rows that come out the same keep their number.
template <typename T, typename U>
bool assign(T& target, U&& value) {
  if (target == value) return false;
  target = std::forward<U>(value);
  return true;
}

}  // namespace

namespace {

class message_visitor {
 public:
  message_visitor(run_values& run, const ui::envelope& head) : run_{run}, head_{head} {}

  void operator()(const ui::version& m) {
    if (++run_.totals.versions > 1) return;  // another program's, in an interleaved stream
    run_.programs.tofu = m.tofu;
    run_.programs.terraform = m.terraform;
    run_.programs.ui = m.ui;
  }

  void operator()(const ui::log& m) {
    if (head_.text.find("nterrupt received") != std::string_view::npos ||
        head_.text.find("nterrupts received") != std::string_view::npos) {
      run_.course.interrupted = true;
      run_.causes.stop_waiting();
    }
    if (head_.text.find("cancelled") != std::string_view::npos) run_.course.cancelled = true;
    // A state that could not be saved is the one thing nobody may overlook.
    if (m.state == ui::state_dump::yes)
      add_message(run_, "error", head_.type, head_.text, head_.at);
    else
      notice();
  }

  void operator()(const ui::diagnostic& m) {
    if (m.severity == "error") ++run_.totals.errors;
    if (m.severity == "warning") ++run_.totals.warnings;
    const auto number = new_row(run_, row_kind::diagnostic, run_.rows.diagnostics.size());
    const auto ordinal = static_cast<std::uint32_t>(run_.rows.diagnostics.size() + 1);
    if (number) {
      feed::diagnostic_row row = feed::to_row(head_, m);
      row.ordinal = ordinal;
      diagnostics::redraw_generated(row);
      set_facts(run_.attached, row);
      withhold(row);
      hide(run_.attached, row);
      const std::size_t bytes_cut = cut(run_.identity, run_.rows, row);
      run_.rows.diagnostics.push_back({std::move(row), *number, bytes_cut});
      if (m.severity == "error" && !run_.rows.first_error) run_.rows.first_error = ordinal - 1;
      touch(run_, *number);
    }
    if (m.address.empty()) return;
    const std::string_view addr = resource_named(m.address);
    resource_state* named = run_.rows.resource_at(addr);
    if (named == nullptr) {
      if (number) run_.rows.unlinked[std::string{addr}].push_back(ordinal);
      return;
    }
    const bool linked = number && named->add_diagnostic(ordinal);
    const bool failed = named->fail_open_reads(head_.at);
    if (failed && run_.course.phase == run_phase::apply)
      run_.causes.closed(*named, step_action::read, step_status::failed);
    if (failed || linked) touch(run_, *named);
  }

  void operator()(const ui::planned_change& m) {
    // OpenTofu's filter for these has a gap; they have no plan.
    if (m.resource.relative.starts_with("ephemeral.")) return;
    run_.course.planned_change = true;
    with_resource(m.resource, [&](resource_state& resource) {
      const std::string_view before =
          m.previous_addr.empty() ? m.previous_addr : run_.rows.kept(m.previous_addr);
      const feed::planned_details says{run_.rows.kept_word(m.reason), before};
      if (!resource.plan({run_.rows.kept_word(m.action), says})) {
        leave_out(run_, resource);
        return false;
      }
      learn_planned(run_, resource);
      if (m.action == "import" || m.action == "move" || m.action == "remove") {
        run_.rows.stateless.push_back(resource.number);
      }
      return true;
    });
  }

  void operator()(const ui::resource_drift& m) {
    run_.course.drift = true;
    with_resource(m.resource, [&](resource_state& resource) {
      return assign(resource.row.drift, run_.rows.kept_word(m.action));
    });
  }

  void operator()(const ui::change_summary& m) {
    const feed::change_counts counts{m.add, m.change, m.import, m.remove, m.forget};
    if (m.operation == ui::summary_of::plan) {
      run_.course.plan_summary = true;
      run_.totals.planned = counts;
      run_.course.asked =
          run_.identity.may_ask &&
          counts.add + counts.change + counts.import + counts.remove + counts.forget > 0;
      run_.course.phase = run_phase::apply;
      for_each_once(run_.rows.opened_reads, [&](resource_state& resource) {
        if (resource.fail_open_reads(head_.at)) touch(run_, resource);
      });
      prepare_causes(run_);
      run_.sink.summary_came(run_.whole);
      return;
    }
    run_.totals.applied = counts;
    run_.course.phase = run_phase::apply;
    if (applies_saved_plan(run_)) add_planned_rows(run_);
    run_.course.facts.apply_ran = true;
    run_.course.facts.apply_summary = true;
    if (m.operation == ui::summary_of::destroy) run_.course.destroy_summary = true;
    for_each_once(run_.rows.stateless, [&](resource_state& resource) {
      if (resource.update_status(run_.course.facts)) touch(run_, resource);
    });
    run_.sink.summary_came(run_.whole);
  }

  void operator()(const ui::outputs& m) {
    const bool applied = m.stage == ui::output_stage::applied;
    if (applied) run_.course.output_values = true;
    ++run_.totals.output_messages;
    for (const json::value entry : m.entries) apply_output(entry, applied);
    if (!applied) return;
    for (auto& known : run_.rows.outputs) {
      if (known.named_by == run_.totals.output_messages) continue;
      if (assign(known.row.applied, std::optional{false})) touch(run_, known.number);
    }
  }

  void operator()(const ui::apply_start& m) {
    begin_hook(m.action == ui::hook_action::read ? hook_kind::read : hook_kind::change);
    open(m.resource, to_step(m.action), m.id);
  }
  void operator()(const ui::apply_progress& m) {
    begin_hook(m.action == ui::hook_action::read ? hook_kind::read : hook_kind::change);
    // A tick says nothing that the start did not, and may come after the end.
    with_resource(m.resource, [](resource_state&) { return false; });
  }
  void operator()(const ui::apply_complete& m) {
    begin_hook(m.action == ui::hook_action::read ? hook_kind::read : hook_kind::change);
    close(m.resource, to_step(m.action), step_status::done, m.id);
  }
  void operator()(const ui::apply_errored& m) {
    begin_hook(m.action == ui::hook_action::read ? hook_kind::read : hook_kind::change);
    run_.course.errored = true;
    close(m.resource, to_step(m.action), step_status::failed, {});
  }

  void operator()(const ui::provision_start& m) {
    begin_hook(hook_kind::change);
    with_resource(m.resource, [&](resource_state& resource) {
      step* place = resource.provisioned_step();
      if (place == nullptr) return false;
      feed::provisioner* started = resource.add_provisioner(*place);
      if (started == nullptr) {
        leave_out(run_, resource);
        return false;
      }
      started->name = run_.rows.kept_word(m.provisioner);
      started->started_at = head_.at;
      return true;
    });
  }
  void operator()(const ui::provision_progress& m) {
    begin_hook(hook_kind::change);
    bool made = false;
    resource_state* resource = resource_at(run_, m.resource, made);
    ++run_.totals.log_lines;
    const std::string_view text =
        shows().provisioner_output ? run_.attached.without_hidden(m.output) : left_out;
    feed::log_line line{m.resource.addr, 0, 0, 0, head_.at, text};
    bool counted = false;
    if (resource != nullptr) {
      step* place = resource->provisioned_step();
      feed::provisioner* running =
          place == nullptr ? nullptr : running_provisioner(*place, m.provisioner);
      line.step = place == nullptr ? 0 : place->number;
      if (running != nullptr) {
        line.provisioner = static_cast<std::uint32_t>(running - place->provisioners.data() + 1);
        line.n = ++running->lines;
        counted = true;
      } else {
        line.n = ++(place == nullptr ? resource->loose_lines : place->loose_lines);
      }
    }
    ++run_.rows.seq;
    run_.line_json.clear();
    feed::encode(
        run_.line_json, line,
        {run_.identity.id, run_.rows.seq, run_.identity.line_limit, run_.identity.base_path});
    emit_line(run_, row_kind::log, resource == nullptr ? feed::no_row : resource->number,
              line.text);
    if (resource != nullptr && (made || counted)) touch(run_, *resource);
  }
  void operator()(const ui::provision_complete& m) {
    end_provisioner(m.resource, m.provisioner, step_status::done);
  }
  void operator()(const ui::provision_errored& m) {
    end_provisioner(m.resource, m.provisioner, step_status::failed);
  }

  void operator()(const ui::refresh_start& m) {
    begin_hook(hook_kind::read);
    run_.course.refreshed = true;
    open(m.resource, step_action::refresh, m.id);
  }
  void operator()(const ui::refresh_complete& m) {
    begin_hook(hook_kind::read);
    run_.course.refreshed = true;
    close(m.resource, step_action::refresh, step_status::done, m.id);
  }

  void operator()(const ui::ephemeral_start& m) {
    begin_hook(hook_kind::read);
    open(m.resource, to_step(m.action), {});
  }
  void operator()(const ui::ephemeral_progress& m) {
    begin_hook(hook_kind::read);
    with_resource(m.resource, [](resource_state&) { return false; });
  }
  void operator()(const ui::ephemeral_complete& m) {
    begin_hook(hook_kind::read);
    close(m.resource, to_step(m.action), step_status::done, {});
  }
  void operator()(const ui::ephemeral_errored& m) {
    begin_hook(hook_kind::read);
    close(m.resource, to_step(m.action), step_status::failed, {});
  }

  void operator()(const ui::test_abstract& m) {
    run_.course.tested = true;
    for (const json::value file : m.files) {
      set_test_file(run_, file.key(), "pending");
      for (const json::value name : file) {
        if (const auto run = name.string()) set_test_run(run_, file.key(), *run, "pending");
      }
    }
  }
  void operator()(const ui::test_file& m) {
    run_.course.tested = true;
    set_test_file(run_, m.path, m.status);
  }
  void operator()(const ui::test_run& m) {
    run_.course.tested = true;
    set_test_run(run_, m.path, m.run, m.status);
  }
  void operator()(const ui::test_summary& m) {
    run_.course.tested = true;
    run_.course.test_status = m.status;
    run_.totals.tests = feed::test_counts{m.passed, m.failed, m.errored, m.skipped};
  }
  void operator()(const ui::test_document&) { run_.course.tested = true; }
  void operator()(const ui::test_interrupt& m) {
    run_.course.tested = true;
    run_.course.interrupted = true;
    notice(m.names);
  }
  void operator()(const ui::action_output&) {
    // What a program prints is no message: people ask for it.
    for_each_line(head_.text, [&](std::string_view line) {
      apply_text(run_, shows().provisioner_output ? line : left_out);
    });
  }
  void operator()(const ui::action_errored&) {
    const auto said = head_.text.substr(0, head_.text.find(" - "));
    add_message(run_, head_.level, head_.type, said, head_.at);
  }

  void operator()(const ui::notice& m) {
    run_.course.last_says_all = head_.type == "resource_address" ||
                                head_.type == "workspace_list" ||
                                head_.type == "replace_provider" || head_.type == "output";
    if (head_.type == "test_cleanup") run_.course.tested = true;
    notice(m.names);
  }
  void operator()(const ui::init_output& m) {
    run_.course.last_says_all = m.code.starts_with("output_init_");
    run_.course.initialised = true;
    notice();
  }
  void operator()(const ui::untyped&) {
    run_.course.last_says_all = head_.level != "error";
    if (head_.level == "error") run_.course.errored = true;
    notice();
  }
  void operator()(const ui::unknown&) { notice(); }
  void operator()(const ui::malformed&) {
    ++run_.totals.malformed;
    notice();
  }

 private:
  enum class hook_kind { read, change };

  const text_policy& shows() const { return run_.identity.shows; }

  /// What may not be shown.
  void withhold(feed::diagnostic_row& row) const {
    if (!shows().snippet_values && row.snippet) row.snippet->values.clear();
    // OpenTofu quotes what a failed program printed behind this word.
    constexpr std::string_view quotes = "Output:";
    if (shows().provisioner_output || row.summary.find("provisioner error") == row.summary.npos) {
      return;
    }
    const auto output = row.detail.find(quotes);
    if (output == row.detail.npos) return;
    row.detail.resize(output + quotes.size());
    row.detail.append(" ").append(left_out);
  }

  void notice() { add_message(run_, head_.level, head_.type, head_.text, head_.at); }

  // A line for each name behind what is said.
  void notice(json::value names) {
    if (!names) return notice();
    std::string said{head_.text};
    append_names(said, names);
    add_message(run_, head_.level, head_.type, said, head_.at);
  }

  // A saved plan has no summary: the first hook after its planned changes begins the apply phase.
  void begin_hook(hook_kind kind) {
    if (kind == hook_kind::change || run_.course.planned_change)
      run_.course.phase = run_phase::apply;
    if (applies_saved_plan(run_)) add_planned_rows(run_);
  }

  // `change(resource)` tells whether the row differs; a new row always does.
  template <typename Change>
  void with_resource(const ui::resource& what, Change&& change) {
    bool made = false;
    resource_state* resource = resource_at(run_, what, made);
    if (resource == nullptr) return;
    const bool changed = change(*resource);
    if (made || changed) touch(run_, *resource);
  }

  void open(const ui::resource& what, step_action action, ui::object_id id) {
    id.value = run_.attached.without_hidden(id.value);
    const bool counts = run_.course.phase == run_phase::apply &&
                        (action == step_action::read || action == step_action::create ||
                         action == step_action::update || action == step_action::remove);
    if (counts) begin_causes(run_);
    with_resource(what, [&](resource_state& resource) {
      step* opened = resource.open_step(action, run_.course.phase, head_.at);
      if (opened == nullptr) {
        leave_out(run_, resource);
        return false;
      }
      identify(resource, *opened, id);
      learn_step(run_.attached, resource, *opened);
      const bool reads = action == step_action::read || action == step_action::refresh;
      if (reads) run_.rows.opened_reads.push_back(resource.number);
      if (counts) {
        run_.course.facts.apply_ran = true;
        run_.causes.opened(resource, action);
      }
      return true;
    });
  }

  void close(const ui::resource& what, step_action action, step_status status, ui::object_id id) {
    id.value = run_.attached.without_hidden(id.value);
    with_resource(what, [&](resource_state& resource) {
      step* closed = resource.oldest_open(action, id.value);
      if (closed == nullptr) {
        ++run_.totals.unmatched;
        return false;
      }
      identify(resource, *closed, id);
      resource.close_step(*closed, status, false, head_.at);
      if (closed->phase == run_phase::apply) run_.causes.closed(resource, action, status);
      return true;
    });
  }

  // The end repeats the id of the start, and a later step that of an earlier one.
  void identify(resource_state& resource, step& which, ui::object_id id) {
    if (id.value.empty()) return;
    const std::string_view key =
        which.id_key == id.key ? which.id_key : run_.rows.kept_word(id.key);
    const std::string_view known =
        which.id_value == id.value ? which.id_value : resource.row.id_value();
    resource.identify(which, key, known == id.value ? known : run_.rows.kept(id.value));
  }

  static feed::provisioner* running_provisioner(step& place, std::string_view name) {
    const auto found = std::find_if(place.provisioners.rbegin(), place.provisioners.rend(),
                                    [&](const feed::provisioner& p) {
                                      return p.status == step_status::running && p.name == name;
                                    });
    return found == place.provisioners.rend() ? nullptr : &*found;
  }

  void end_provisioner(const ui::resource& what, std::string_view name, step_status status) {
    begin_hook(hook_kind::change);
    with_resource(what, [&](resource_state& resource) {
      step* place = resource.provisioned_step();
      feed::provisioner* running = place == nullptr ? nullptr : running_provisioner(*place, name);
      if (running == nullptr) {
        ++run_.totals.unmatched;
        return false;
      }
      running->status = status;
      running->ended_at = head_.at;
      return true;
    });
  }

  template <typename Visit>
  void for_each_once(std::vector<std::uint32_t>& numbers, Visit&& visit) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::uint32_t number : numbers)
      visit(run_.rows.resources[run_.rows.entries[number].index]);
    numbers.clear();
  }

  void apply_output(json::value entry, bool applied) {
    const std::string_view name = entry.key();
    auto found = run_.rows.by_output.find(name);
    const bool made = found == run_.rows.by_output.end();
    if (made) {
      const auto number = new_row(run_, row_kind::output, run_.rows.outputs.size());
      if (!number) return;
      run_.rows.add_output(*number, name);
      found = run_.rows.by_output.find(name);
    }
    auto& [row, number, named_by, bytes_cut] = run_.rows.outputs[found->second];
    named_by = run_.totals.output_messages;
    const auto kept_bytes = [&row = row] {
      return row.type.size() + (row.value ? row.value->size() : 0);
    };
    run_.rows.texts -= kept_bytes();
    bool changed = made;
    bool sensitive = false;  // if it says so anywhere
    for (const json::value member : entry) {
      sensitive |= member.key() == "sensitive" && member.is(json::kind::boolean_true);
    }
    changed |= assign(row.sensitive, sensitive);
    if (sensitive && row.value) {
      row.value.reset();
      changed = true;
    }
    if (const auto action = entry["action"].string()) changed |= assign(row.action, *action);
    if (applied) {
      std::string type{entry["type"].text()};
      std::optional<std::string> shown = row.value;
      if (const json::value value = entry["value"]; value && !sensitive) {
        shown = value.text();
        if (run_.attached.hider) run_.attached.hider->hide_json(*shown);
      }
      // Half a JSON text is none: what is too long is not kept at all.
      std::size_t gone = 0;
      if (run_.identity.cuts_texts && type.size() > limits::kept_text_bytes) {
        gone += type.size();
        type.clear();
      }
      if (run_.identity.cuts_texts && shown && shown->size() > limits::kept_text_bytes) {
        gone += shown->size();
        shown.reset();
      }
      changed |= assign(row.type, std::move(type));
      changed |= assign(row.value, std::move(shown));
      changed |= assign(bytes_cut, gone);
      if (const auto deprecated = entry["deprecated"].string()) {
        changed |= assign(row.deprecated, std::optional<std::string>{*deprecated});
      }
      changed |= assign(row.applied, std::optional{true});
    }
    run_.rows.texts += kept_bytes();
    if (changed) touch(run_, number);
  }

  run_values& run_;
  const ui::envelope& head_;
};

}  // namespace

void apply(run_values& run, const ui::envelope& head, const ui::message& message) {
  run_course& course = run.course;
  ++run.totals.messages;
  course.last_says_all = false;
  if (!std::holds_alternative<ui::outputs>(message)) course.asked = course.approval_shown = false;
  if (head.at) {
    if (!course.started_at) course.started_at = head.at;
    if (!course.last_line_at || *head.at > *course.last_line_at) course.last_line_at = head.at;
  }
  std::visit(message_visitor{run, head}, message);
  tell_causes(run);
}

}  // namespace tofud::correlator
