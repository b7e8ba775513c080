// Runs of kept_streams that other daemons take in: known by what is said of them, and copied from
// the log that all share when somebody looks at them.
#include "daemon/cluster/errors.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

/// Until there is an id that no daemon has given to another run.
net::task<text::failure> kept_streams::open_shared(journal::run_header& header) {
  header.fold =
      journal::fold_parameters{shows_.provisioner_output, shows_.snippet_values, base_path_};
  text::failure failure;
  for (std::size_t tries = 0; tries < limits::shared_id_tries; ++tries) {
    auto opening = shared_->open(header);
    failure = co_await std::move(opening);
    if (!failure.is(cluster::error::other_writer)) break;
    header.id = free_id("");
  }
  co_return failure;
}

net::task<text::failure> kept_streams::adopt(journal::run_header header) {
  const std::string id = header.id;
  if (streams_.contains(id)) co_return text::failure{};
  journal::kept_run kept;
  kept.header = header;
  auto storing = store_.create(std::move(header));
  text::failure failure = co_await std::move(storing);
  if (!failure.empty() || streams_.contains(id)) co_return failure;
  stream& added = add(std::move(kept), nullptr);
  added.ends_here = false;
  added.run->set_elsewhere({true, false});
  co_return failure;
}

void kept_streams::learn_elsewhere(const told_elsewhere& told) {
  stream* of = stream_of(told.header.id);
  if (of == nullptr) return;
  ingested_run& run = *of->run;
  const bool was_over = run.complete();
  run.set_elsewhere({true, told.is_over});
  of->place.reset();
  of->ends_here = false;
  if (told.is_over && !was_over && !run.is_loaded()) run.restore_finished();
  // Rows that are folded here say more, but for those of a run that was let go.
  if (run.is_loaded()) return told_of(run.id());
  for (auto& [view, facts] : views_so_far_in(told.views)) {
    registry::shown_run* shown = shown_.of_id(view.id);
    if (shown == nullptr) shown = &show(*of, view);
    if (shown->live != nullptr) continue;
    shown->last = std::move(view);
    shown->facts = std::move(facts);
    learn(*shown);
  }
  told_of(run.id());
  put(*of);
}

void kept_streams::told_of(const std::string& id) {
  stream* of = stream_of(id);
  if (of == nullptr) return;
  for (registry::shown_run* shown : of->shown) walls_.told_of(*shown);
  walls_.publish();
}

void kept_streams::taken_here(const std::string& id) {
  stream* of = stream_of(id);
  if (of == nullptr || !of->run->is_elsewhere().is_taken) return;
  of->run->set_elsewhere({});
  of->ends_here = !of->run->complete();
  shared_->leave(id);
  of->run->heard();
  of->run->load([] {});
  put(*of);
}

bool kept_streams::may_take(const std::string& id) const {
  const stream* of = stream_of(id);
  return of != nullptr && !of->run->is_elsewhere().is_taken && shared_->may_append(of->run->id());
}

void kept_streams::find_elsewhere(const std::string& id, std::function<void(text::failure)> ready) {
  const auto over = [ready = std::move(ready)](const std::exception_ptr& thrown,
                                               const text::failure& failure) {
    if (thrown) std::rethrow_exception(thrown);
    ready(failure);
  };
  asio::co_spawn(io_, shared_->find(std::string{id.substr(0, id.find('.'))}), over);
}

void kept_streams::take_over(std::string id, http::router::when_ready ready) {
  const auto over = [ready = std::move(ready)](const std::exception_ptr& thrown,
                                               const text::failure& failure) {
    if (thrown) std::rethrow_exception(thrown);
    if (failure.empty()) return ready(std::nullopt);
    ready(not_now(failure.text()));
  };
  asio::co_spawn(io_, shared_->take_over(std::move(id)), over);
}

void kept_streams::bring(const std::string& id, std::function<void()> ready) {
  const auto over = [this, id, ready = std::move(ready)](const std::exception_ptr& thrown,
                                                         const text::failure& failure) {
    if (thrown) std::rethrow_exception(thrown);
    const stream* of = stream_of(id);
    if (!failure.empty()) {
      operations::log_warning(operations::events::run_remark, {id, ""},
                              "run {}: not up to date here: {}", id, failure.text());
    }
    if (of != nullptr && of->run->is_partial()) shared_->follow(id);
    ready();
  };
  asio::co_spawn(io_, shared_->bring(id), over);
}

net::task<text::failure> kept_streams::find_upload(std::string upload_id) {
  if (!is_shared() || by_upload_.contains(upload_id)) co_return text::failure{};
  auto looking = shared_->find_upload(std::move(upload_id));
  co_return co_await std::move(looking);
}

std::vector<std::string> kept_streams::heard_since(ingested_run::steady::time_point since) const {
  std::vector<std::string> all;
  for (const auto& [id, of] : streams_) {
    const ingested_run& run = *of.run;
    if (!run.complete() && !run.is_elsewhere().is_taken && run.was_heard_since(since))
      all.push_back(id);
  }
  return all;
}

void kept_streams::could_not_hear() {
  for (const auto& [id, of] : streams_) {
    if (!of.run->complete() && of.run->is_elsewhere().is_taken) of.run->could_not_hear();
  }
}

std::vector<journal::run_header> kept_streams::whole_runs() const {
  std::vector<journal::run_header> all;
  for (auto each = streams_.rbegin(); each != streams_.rend(); ++each) {
    const ingested_run& run = *each->second.run;
    if (!run.is_copied_whole() || run.is_elsewhere().is_taken) continue;
    all.push_back(run.header());
    if (!all.back().fold)
      all.back().fold =
          journal::fold_parameters{shows_.provisioner_output, shows_.snippet_values, base_path_};
  }
  return all;
}

std::vector<std::string> kept_streams::ended() const {
  std::vector<std::string> all;
  const auto now = operations::utc_now();
  for (const auto& [id, of] : streams_) {
    if (of.run->complete() && now - of.run->header().created_at <= limits::told_oldest_run)
      all.push_back(id);
  }
  return all;
}

std::string kept_streams::oldest_ended() const {
  const stream* oldest = nullptr;
  for (const auto& [id, of] : streams_) {
    if (!of.run->complete()) continue;
    if (oldest == nullptr || of.run->header().created_at < oldest->run->header().created_at)
      oldest = &of;
  }
  return oldest == nullptr ? "" : oldest->run->id();
}

void kept_streams::tell_end(const std::string& id) {
  load(id, [this, id] {
    const stream* of = stream_of(id);
    if (of == nullptr || !of->run->is_loaded() || !of->run->is_copied_whole() || !ended_) return;
    ended_(*of->run, of->shown, ending::just_now, [] {});
  });
}

void kept_streams::doubt_all() {
  for (const auto& [id, of] : streams_) {
    shared_->doubt(id);
    // Who has all of it may well be the only one: whole_runs() has it again.
    if (of.run->is_copied_whole())
      of.run->set_elsewhere({});
    else if (!of.run->is_elsewhere().is_taken)
      dirty_.insert(id);
  }
}

std::vector<std::string> kept_streams::taken_in() const {
  std::vector<std::string> all;
  for (const auto& [id, of] : streams_) {
    if (!of.run->complete() && !of.run->is_elsewhere().is_taken) all.push_back(id);
  }
  return all;
}

std::vector<std::string> kept_streams::only_begun() const {
  std::vector<std::string> all;
  for (const auto& [id, of] : streams_) {
    const ingested_run& run = *of.run;
    if (!run.complete() && !run.is_sent_once() && run.copied_bytes() == 0) all.push_back(id);
  }
  return all;
}

std::vector<std::shared_ptr<ingested_run>> kept_streams::sent_once() const {
  std::vector<std::shared_ptr<ingested_run>> all;
  for (const auto& [id, of] : streams_) {
    if (!of.run->complete() && of.run->is_sent_once()) all.push_back(of.run);
  }
  return all;
}

net::task<text::failure> kept_streams::finish_broken(std::string id) {
  const auto run = of_id(id);
  if (!run || run->complete()) co_return text::failure{};
  auto finishing = run->finish_broken();
  co_return co_await std::move(finishing);
}

/// Those that were looked at the longest ago, one after the other.
void kept_streams::drop_copies() {
  std::uint64_t bytes = 0;
  ingested_run* oldest = nullptr;
  for (const auto& [id, of] : streams_) {
    ingested_run& run = *of.run;
    if (!run.is_elsewhere().is_taken || !run.is_copied_whole()) continue;
    bytes += run.copied_bytes();
    if (run.folded() != nullptr) continue;
    if (oldest == nullptr || run.used_at() < oldest->used_at()) oldest = &run;
  }
  if (bytes <= may_take_.copies || oldest == nullptr) return;
  const auto over = [this](const std::exception_ptr& thrown, bool is_dropped) {
    if (thrown) std::rethrow_exception(thrown);
    if (is_dropped) drop_copies();
  };
  asio::co_spawn(io_, drop_copy(of_id(oldest->id())), over);
}

/// False: it is wanted again, or the disk refuses.
net::task<bool> kept_streams::drop_copy(std::shared_ptr<ingested_run> run) {
  auto entering = run->alone();
  const auto alone = co_await std::move(entering);
  if (!alone || run->folded() != nullptr || !run->is_copied_whole()) co_return false;
  shared_->forget_log(run->id());
  auto removing = store_.remove(run->id(), journal::removed_by::retention, operations::utc_now());
  text::failure failure = co_await std::move(removing);
  if (failure.empty()) {
    run->become_stub();
    auto making = store_.create(run->header());
    failure = co_await std::move(making);
  }
  if (!failure.empty())
    operations::log_warning(operations::events::cluster, {run->id(), ""},
                            "run {}: its copy can't be dropped: {}", run->id(), failure.text());
  if (const stream* of = stream_of(run->id())) put(*of);
  co_return failure.empty();
}

/// Its sender is heard of by another daemon, or by none.
void kept_streams::look_after_elsewhere(stream& which) {
  ingested_run& run = *which.run;
  run.look_after_contact();
  if (!run.is_loaded()) return show_contact(which);
  const bool is_idle = ingested_run::steady::now() - run.used_at() >= limits::unloaded_after;
  if (watched(which)) return run.used();
  if (!is_idle || run.is_kept_by_others()) return;
  shared_->leave(run.id());
  unload(which);
}

void kept_streams::show_contact(stream& which) {
  for (registry::shown_run* shown : which.shown) {
    feed::run_view& view = shown->last;
    const auto now = which.run->contact();
    if (which.run->complete() || view.contact == now) continue;
    view.contact = now;
    const bool is_lost = now == feed::run_contact::lost;
    if (is_lost && view.status == feed::run_status::running) view.status = feed::run_status::lost;
    if (!is_lost && view.status == feed::run_status::lost) view.status = feed::run_status::running;
    shown_.changed(*shown);
    learn(*shown);
  }
}

}  // namespace tofud::serve
