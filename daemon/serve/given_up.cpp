// Runs of kept_streams that nobody reads any more, since the daemon died while it read them.
#include "daemon/operations/log_event.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/limits.hpp"

#include <utility>

namespace tofud::serve {

/// It stays in the lists, and nobody folds it.
void kept_streams::show_unreadable(stream& which) {
  const journal::run_header& header = which.run->header();
  which.run->give_up();
  const std::string why = why_unreadable(header.id);
  operations::log_error(operations::events::run_remark, {header.id, ""}, "{}", why);
  which.place.reset();
  for (registry::shown_run* shown : std::exchange(which.shown, {})) shown_.remove(*shown);
  feed::run_view view;
  view.id = header.id;
  view.stack = header.stack;
  view.labels = labels_of(header);
  view.status = feed::run_status::unknown;
  view.created_at = header.created_at;
  view.unreadable = why;
  shown_.changed_quietly(show(which, std::move(view)));
  put(which);
}

std::string kept_streams::why_unreadable(std::string_view id) const {
  const auto run = of_id(id);
  if (!run || !run->is_given_up()) return "";
  return "run " + run->id() + " can't be shown: the daemon died " +
         std::to_string(limits::fold_deaths) +
         " times while it read it. Its stream is stored (/v1/runs/" + run->id() +
         "/stream.jsonl); `tofud reindex " + run->id() + "` makes the daemon try again";
}

bool kept_streams::read_again(std::string_view id, const access::principal& by) {
  const auto run = find(id, by);
  if (!run) return false;
  const bool idle = recovering_.empty();
  read_again(*run);
  if (idle) recover_next();
  return true;
}

void kept_streams::read_again(ingested_run& run) {
  run.take_up();
  deaths_.forget(run.id());
  if (run.complete()) run.fold_again();
  recovering_.push_back(run.id());
}

}  // namespace tofud::serve
