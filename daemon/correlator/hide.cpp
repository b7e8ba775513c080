// Values that an attached plan calls sensitive, out of the texts of a run.
#include "daemon/correlator/run_values.hpp"

namespace tofud::correlator {
namespace {

bool hide_code(redact::hider& hider, feed::source_snippet& snippet) {
  if (!hider.hide(snippet.code)) return false;
  for (std::int64_t* place : {&snippet.highlight_start_offset, &snippet.highlight_end_offset}) {
    if (*place > 0)
      *place = static_cast<std::int64_t>(hider.moved(static_cast<std::size_t>(*place)));
  }
  return true;
}

}  // namespace

bool hide(attached_values& attached, feed::diagnostic_row& row) {
  if (!attached.hider) return false;
  bool changed = attached.hider->hide(row.summary);
  changed |= attached.hider->hide(row.detail);
  if (!row.snippet) return changed;
  changed |= hide_code(*attached.hider, *row.snippet);
  if (row.snippet->context) changed |= attached.hider->hide(*row.snippet->context);
  for (feed::expression_value& each : row.snippet->values) {
    changed |= attached.hider->hide(each.traversal);
    changed |= attached.hider->hide(each.statement);
  }
  return attached.hider->hide_json(row.snippet->function_call) || changed;
}

bool hide(attached_values& attached, feed::output_row& row) {
  return attached.hider && row.value && attached.hider->hide_json(*row.value);
}

bool hide(attached_values& attached, feed::message_row& row) {
  return attached.hider && attached.hider->hide(row.text);
}

namespace {

bool hide(run_values& run, resource_state& resource) {
  const auto hide_id = [&run](std::string_view& id) {
    const std::string_view shown = run.attached.without_hidden(id);
    if (shown.data() == id.data()) return false;
    id = run.rows.kept(shown);
    return true;
  };
  bool changed = false;
  for (feed::step& each : resource.row.steps) changed |= hide_id(each.id_value);
  return changed;
}

template <typename Rows>
void hide_all(run_values& run, Rows& rows) {
  for (auto& each : rows) {
    if (hide(run.attached, each.row)) touch(run, each.number);
  }
}

}  // namespace

void hide_rows(run_values& run) {
  hide_all(run, run.rows.diagnostics);
  hide_all(run, run.rows.outputs);
  hide_all(run, run.rows.messages);
  for (resource_state& each : run.rows.resources) {
    if (hide(run, each)) touch(run, each);
  }
}

}  // namespace tofud::correlator
