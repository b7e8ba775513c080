#include "daemon/serve/happenings.hpp"

#include "daemon/notify/limits.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace tofud::serve {
namespace {

using notify::occasion;

bool is_told_of(const feed::run_view& view) {
  return !feed::stands_aside(view.command) && view.unreadable.empty();
}

/// As its label says where one approves: an address of the web, and nothing else.
std::string approve_url_of(const feed::run_view& view) {
  const auto label = std::find_if(view.labels.begin(), view.labels.end(),
                                  [](const feed::label& each) { return each.key == "url"; });
  const bool is_address = label != view.labels.end() && (label->value.starts_with("https://") ||
                                                         label->value.starts_with("http://"));
  return is_address ? label->value : "";
}

std::string place_of(const feed::diagnostic_row& of) {
  if (!of.range) return "";
  return of.range->filename + ":" + std::to_string(of.range->start.line);
}

std::chrono::seconds between(ui::time_point from, ui::time_point to) {
  return std::max(std::chrono::seconds{0},
                  std::chrono::duration_cast<std::chrono::seconds>(to - from));
}

void quote_errors(notify::report& into, const correlator::run_state& state,
                  const happenings::parts& by) {
  const auto told = [&](std::string_view text) { return notify::told_text(text, by.hide); };
  for (std::size_t i = 0; i < state.diagnostics() && into.first_errors.size() < limits::told_errors;
       ++i) {
    const feed::diagnostic_row& each = state.diagnostic_at(i);
    if (each.severity != "error") continue;
    const auto annotated =
        each.address.empty() ? feed::annotations{} : state.annotated(each.address);
    into.first_errors.push_back({told(each.summary), told(each.address), told(place_of(each)),
                                 told(annotated.owner), told(annotated.runbook)});
  }
}

/// What is told of a run; it has no id yet, and no occasion.
notify::report report_of(const registry::shown_run& of, const feed::run_view& view,
                         const happenings::parts& by) {
  const auto told = [&](std::string_view text) { return notify::told_text(text, by.hide); };
  notify::report made;
  made.run = view.id;
  made.stack = told(view.stack);
  made.command = feed::name(view.command);
  made.status = feed::name(view.status);
  for (const feed::label& each : view.labels)
    made.labels.push_back({told(each.key), told(each.value)});
  if (view.verified)
    made.by = told(view.verified->actor.empty() ? view.verified->subject : view.verified->actor);
  made.at = operations::utc_now();
  made.started_at = view.started_at;
  made.changes = view.applied ? view.applied : view.planned;
  made.changes_are_done = view.applied.has_value();
  made.errors = view.diagnostics.errors;
  if (view.failures.worst) {
    made.stranded = view.failures.worst->count;
    made.stranded_by = told(view.failures.worst->addr);
  }
  if (of.live != nullptr) quote_errors(made, of.live->state, by);
  if (made.first_errors.empty() && view.failures.first)
    made.first_errors.push_back(
        {told(view.failures.first->summary), told(view.failures.first->addr), "", "", ""});
  made.url = by.page(view.id);
  made.approve_url = told(approve_url_of(view));
  return made;
}

}  // namespace

happenings::happenings(boost::asio::io_context& io, notify::sender::options to, kept_streams& runs,
                       parts given)
    : io_{io}, to_{io, std::move(to)}, runs_{runs}, given_{std::move(given)}, clock_{io} {}

notify::happening happenings::happened(const registry::shown_run& run, const feed::run_view& view,
                                       occasion what, bool is_end,
                                       std::optional<std::chrono::seconds> since) const {
  notify::report of = report_of(run, view, given_);
  of.what = what;
  if (since) of.seconds = since->count();
  return {std::move(of), is_end};
}

/// What its plan says, once there is one.
void happenings::add_changes(std::vector<notify::happening>& to, const registry::shown_run& run,
                             const feed::run_view& view) const {
  if (!view.planned) return;
  if (view.planned->remove > 0) to.push_back(happened(run, view, occasion::destroy, false));
  if (view.counts[static_cast<std::size_t>(feed::resource_status::drifted)] > 0)
    to.push_back(happened(run, view, occasion::drift, false));
}

void happenings::over(const ingested_run& stream, const std::vector<registry::shown_run*>& runs,
                      std::function<void()> done) {
  const bool is_news =
      operations::utc_now() - stream.header().created_at <= limits::told_oldest_run;
  if (!(to_.has_rules() || to_.is_shared()) || !is_news) return done();
  std::vector<notify::happening> all;
  for (const registry::shown_run* each : runs) {
    const feed::run_view view = each->view();
    first_estimates_.erase(view.id);
    told_.erase(view.id);
    if (!is_told_of(view)) continue;
    switch (view.status) {
      case feed::run_status::failed:
      case feed::run_status::interrupted:
        all.push_back(happened(*each, view, occasion::failed, true));
        break;
      case feed::run_status::succeeded:
        all.push_back(happened(*each, view, occasion::recovered, true));
        break;
      case feed::run_status::lost:
        all.push_back(happened(*each, view, occasion::lost, false));
        break;
      case feed::run_status::running:
      case feed::run_status::unknown:
        break;
    }
    add_changes(all, *each, view);
  }
  to_.take(std::move(all), std::move(done));
}

void happenings::begin() { look_later(); }

void happenings::look_later() {
  clock_.expires_after(limits::told_looked_every);
  clock_.async_wait([this](boost::system::error_code failed) {
    if (failed) return;
    if (to_.has_rules()) return look_from({});
    look_later();
  });
}

/// In turns of some milliseconds.
void happenings::look_from(registry::run_registry::place from) {
  const operations::doing looking{"looking for runs to notify about"};
  const auto until = std::chrono::steady_clock::now() + limits::told_turn;
  const auto next = runs_.look_through(from, [&](registry::shown_run& each) {
    if (each.of->goes_on() && is_ours(each)) look_at(each);
    return std::chrono::steady_clock::now() < until;
  });
  if (!next) {
    forget_removed();
    return look_later();
  }
  boost::asio::post(io_, [this, next = *next] { look_from(next); });
}

/// Whoever takes it in looks at it, and who looks at all.
bool happenings::is_ours(const registry::shown_run& run) const {
  const auto of = runs_.of_id(run.id());
  return to_.may_deliver() || (of && !of->is_elsewhere().is_taken);
}

void happenings::look_at(registry::shown_run& run) {
  const feed::run_view view = run.view();
  if (!is_told_of(view)) return;
  const auto now = operations::utc_now();
  std::vector<notify::happening> all;
  if (view.status == feed::run_status::lost)
    all.push_back(happened(run, view, occasion::lost, false));
  if (view.status == feed::run_status::running) {
    add_changes(all, run, view);
    const bool waits = view.phase == feed::run_phase::approval;
    // Both are by the sender's clock, which may be hours off.
    const auto since = waits ? view.last_line_at : view.started_at;
    const auto apart = view.clock_offset.value_or(std::chrono::microseconds{0});
    const auto time = since ? between(*since + apart, now) : std::chrono::seconds{0};
    if (waits && time >= limits::told_waiting_after)
      all.push_back(happened(run, view, occasion::waiting, false, time));
    if (!waits && view.started_at && is_overrun(view, time))
      all.push_back(happened(run, view, occasion::overrun, false, time));
  }
  forget_known(all);
  if (!all.empty()) to_.take(std::move(all));
}

/// What was taken once is not written to the disk every ten seconds.
void happenings::forget_known(std::vector<notify::happening>& all) {
  std::erase_if(all, [this](const notify::happening& each) {
    auto& known = told_[each.of.run];
    if (known.contains(each.of.what) || !to_.wants(each.of.what)) return true;
    known.insert(each.of.what);
    return false;
  });
}

/// Runs that a person removed while they went on never end.
void happenings::forget_removed() {
  const auto is_gone = [this](const auto& each) {
    return !runs_.find(each.first, access::own_user());
  };
  std::erase_if(told_, is_gone);
  std::erase_if(first_estimates_, is_gone);
}

/// By what was expected first: later estimates know that it takes long.
bool happenings::is_overrun(const feed::run_view& view, std::chrono::seconds since_start) {
  if (!view.estimate) return false;
  const double whole = std::chrono::duration<double>(view.estimate->at - *view.started_at).count() +
                       view.estimate->p80;
  const double first = first_estimates_.try_emplace(view.id, whole).first->second;
  return first > 0 && static_cast<double>(since_start.count()) > limits::told_overrun_times * first;
}

}  // namespace tofud::serve
