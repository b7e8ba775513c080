// Values that an attached plan calls sensitive, out of the texts of a run.
#include "daemon/correlator/run_state.hpp"

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

bool run_state::hide(feed::diagnostic_row& row) {
  if (!hider_) return false;
  bool changed = hider_->hide(row.summary);
  changed |= hider_->hide(row.detail);
  if (!row.snippet) return changed;
  changed |= hide_code(*hider_, *row.snippet);
  if (row.snippet->context) changed |= hider_->hide(*row.snippet->context);
  for (feed::expression_value& each : row.snippet->values) {
    changed |= hider_->hide(each.traversal);
    changed |= hider_->hide(each.statement);
  }
  return hider_->hide_json(row.snippet->function_call) || changed;
}

bool run_state::hide(feed::output_row& row) {
  return hider_ && row.value && hider_->hide_json(*row.value);
}

bool run_state::hide(feed::message_row& row) { return hider_ && hider_->hide(row.text); }

bool run_state::hide(resource_state& resource) {
  const auto hide_id = [this](std::string_view& id) {
    const std::string_view shown = hidden(id);
    if (shown.data() == id.data()) return false;
    id = kept(shown);
    return true;
  };
  bool changed = hide_id(resource.row.id_value);
  for (feed::step& each : resource.row.steps) changed |= hide_id(each.id_value);
  return changed;
}

template <typename Rows>
void run_state::hide_all(Rows& rows) {
  for (auto& each : rows) {
    if (hide(each.row)) touch(each.number);
  }
}

void run_state::hide_rows() {
  hide_all(diagnostics_);
  hide_all(outputs_);
  hide_all(message_rows_);
  for (resource_state& each : resources_) {
    if (hide(each)) touch(each);
  }
}

}  // namespace tofud::correlator
