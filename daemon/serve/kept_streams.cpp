#include "daemon/serve/kept_streams.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/journal/errors.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/indexed_views.hpp"
#include "daemon/serve/limits.hpp"
#include "daemon/spool/run_id.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/labels_text.hpp"
#include "protocol/feed/run_view.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

namespace {

/// What rows say of the whole: objects that somebody changed outside of OpenTofu, whose they are,
/// and by which providers.
void take_rows(wall::run_facts& facts, const correlator::run_state& state) {
  facts.rows.drifted = state.drifted();
  wall::run_names names;
  names.owners.insert(state.names().owners.begin(), state.names().owners.end());
  for (const config::locked_provider* each : state.names().providers)
    names.providers.emplace(each->source, each->version);
  const bool is_known = facts.rows.names && *facts.rows.names == names;
  if (!is_known && names != wall::run_names{})
    facts.rows.names = std::make_shared<const wall::run_names>(std::move(names));
}

constexpr std::chrono::seconds between_sweeps{1};
constexpr std::uint64_t sweeps_an_hour = 3600;

/// `ID.2` is of the stream ID.
std::string_view stream_id(std::string_view run) { return run.substr(0, run.find('.')); }

}  // namespace

kept_streams::kept_streams(asio::io_context& io, journal::store& store, fanout::hub& hub,
                           const options& chosen, sharing* shared)
    : io_{io},
      worker_{io},
      folder_{io},
      store_{store},
      walls_{io, hub, shared == nullptr ? std::string{} : shared->wall_epoch()},
      shown_{hub, walls_.rows()},
      shows_{chosen.shows},
      kept_{chosen.kept},
      base_path_{chosen.base_path},
      may_take_{chosen.loaded_bytes, chosen.memory_bytes, chosen.copied_bytes},
      shared_{shared},
      live_{chosen.live},
      deaths_{chosen.folding_file, std::chrono::system_clock::now()},
      sweep_clock_{io} {
  walls_.use(shown_);
}

kept_streams::~kept_streams() = default;

ingested_run::listeners kept_streams::listeners() {
  return {[this](ingested_run& run, pipeline::run& folded) { began(run, folded); },
          [this](ingested_run& run, pipeline::run& folded) { changed(run, folded); },
          [this](ingested_run& run) { over(run); }, &counts_, usual()};
}

journal::on_done kept_streams::said(const char* what) {
  return [what](const text::failure& failure) {
    // A run that was removed meanwhile needs nothing of it.
    if (failure.empty() || failure.is(journal::error::unknown_run)) return;
    operations::log_error(operations::events::journal_trouble, {}, "{} can't be written: {}", what,
                          failure.text());
  };
}

kept_streams::stream& kept_streams::add(journal::kept_run kept, live_place place) {
  const std::string id = kept.header.id;
  if (!kept.header.upload_id.empty()) by_upload_[kept.header.upload_id] = id;
  const bool live = !kept.complete;
  stream& added = streams_[id];
  added.run = std::make_shared<ingested_run>(
      io_, ingested_run::threads{worker_, folder_, may_take_.rows},
      ingested_run::logs{log(), store_}, std::move(kept), shows_, kept_, listeners(), base_path_);
  added.ends_here = live;
  added.place = std::move(place);
  return added;
}

// ---- from the last start --------------------------------------------------------------------

void kept_streams::recover(std::vector<journal::kept_run> kept) {
  std::vector<journal::indexed_run> known;
  std::deque<std::string> to_index;
  for (journal::kept_run& each : kept) {  // newest first
    if (!each.remark.empty()) {
      operations::log_warning(operations::events::run_remark, {each.header.id, ""}, "run {}: {}",
                              each.header.id, each.remark);
    }
    const std::string id = each.header.id;
    // Of a run that others have more of they tell.
    const bool is_stub = is_shared() && !each.complete && each.bytes == 0;
    const bool goes_on = !each.complete && !each.header.upload_id.empty();
    if (each.complete && each.indexed) {
      known.push_back(std::move(*each.indexed));
    } else if (!is_stub) {
      (goes_on ? recovering_ : to_index).push_back(id);
    }
    const bool cut_off = !each.complete && !goes_on && !is_shared();
    auto place = each.complete ? nullptr : live_.take("", each.header.sent_as);
    const auto run = add(std::move(each), std::move(place)).run;
    if (cut_off) asio::co_spawn(io_, run->finish_broken(), asio::detached);
  }
  going_on_to_recover_ = recovering_.size();
  recovering_.insert(recovering_.end(), to_index.begin(), to_index.end());
  show_indexed(known);
  recover_next();
}

/// Runs the index has need not be folded before somebody looks at them.
void kept_streams::show_indexed(const std::vector<journal::indexed_run>& known) {
  std::vector<views_and_facts> all = views_of_each(known);
  for (std::size_t i = known.size(); i-- > 0;) {  // oldest first
    const std::string& id = known[i].id;
    stream& of = *stream_of(id);
    if (deaths_.is_deadly(id)) {
      show_unreadable(of);
      continue;
    }
    views_and_facts views = std::move(all[i]);
    if (views.empty()) {
      recovering_.push_back(id);
      continue;
    }
    of.run->restore_finished();
    of.run->restore_clock_offset(views.back().first.clock_offset);
    for (auto& [view, facts] : views) {
      registry::shown_run& shown = show(of, std::move(view));
      shown.facts = std::move(facts);
      shown_.changed_quietly(shown);
      learn(shown, *of.run);
    }
  }
  walls_.publish();
}

registry::shown_run& kept_streams::show(stream& of, feed::run_view view) {
  registry::shown_run& added = shown_.add(*of.run, std::move(view), of.run->header().created_at);
  of.shown.push_back(&added);
  return added;
}

void kept_streams::recover_next() {
  if (recovering_.empty()) return;
  const operations::doing recovering{"reading a stored run"};
  const std::string id = recovering_.front();
  stream* next = stream_of(id);
  const auto go_on = [this, id] {
    if (!recovering_.empty() && recovering_.front() == id) {
      recovering_.pop_front();
      if (going_on_to_recover_ > 0 && --going_on_to_recover_ == 0) say_caught_up();
    }
    // Not at once: a viewer may have waited for it, too.
    unload_idle();
    asio::post(io_, [this] { recover_next(); });
  };
  if (next == nullptr) return go_on();
  if (deaths_.is_deadly(id)) {
    show_unreadable(*next);
    return go_on();
  }
  // Those that go on stay in memory: beyond the budget they wait until they are heard of.
  if (!why_full().empty() && !next->run->complete()) return go_on();
  deaths_.began(id, std::chrono::system_clock::now());
  next->run->load([this, go_on, run = next->run] {
    deaths_.ended();
    run->memory();  // counted from now on
    go_on();
  });
}

void kept_streams::when_caught_up(std::function<void()> done) {
  caught_up_ = std::move(done);
  if (going_on_to_recover_ == 0) say_caught_up();
}

void kept_streams::say_caught_up() {
  if (caught_up_) asio::post(io_, std::exchange(caught_up_, nullptr));
}

std::chrono::nanoseconds kept_streams::lag() const {
  const auto now = ingested_run::steady::now();
  auto oldest = now;
  for (const auto& [id, of] : streams_) {
    if (const auto since = of.run->behind_since()) oldest = std::min(oldest, *since);
  }
  return now - oldest;
}

// ---- lookups --------------------------------------------------------------------------------

kept_streams::stream* kept_streams::stream_of(std::string_view id) {
  const auto found = streams_.find(stream_id(id));
  return found == streams_.end() ? nullptr : &found->second;
}

const kept_streams::stream* kept_streams::stream_of(std::string_view id) const {
  const auto found = streams_.find(stream_id(id));
  return found == streams_.end() ? nullptr : &found->second;
}

std::shared_ptr<ingested_run> kept_streams::of_id(std::string_view id) const {
  const stream* found = stream_of(id);
  return found == nullptr ? nullptr : found->run;
}

std::shared_ptr<ingested_run> kept_streams::find(std::string_view id,
                                                 const access::principal& by) const {
  const stream* found = stream_of(id == "latest" ? shown_.latest(by) : std::string{id});
  if (found == nullptr) return nullptr;
  const journal::run_header& header = found->run->header();
  return by.sees(header.stack, header.granted) ? found->run : nullptr;
}

fanout::viewer kept_streams::viewer_of(const http::request& asked) const {
  fanout::viewer who{asked.permit};
  if (!asked.by || !asked.by->within) return who;
  who.run_id = [this, by = asked.by](const std::string& name) { return shown_.id_of(name, *by); };
  who.wall = walls_.topic(*asked.by);
  return who;
}

std::shared_ptr<ingested_run> kept_streams::by_upload(const std::string& upload_id) const {
  const auto found = by_upload_.find(upload_id);
  return found == by_upload_.end() ? nullptr : of_id(found->second);
}

net::task<bool> kept_streams::made(std::string upload_id) {
  // Making it may have failed, and another one who waited makes it now.
  while (making_.contains(upload_id)) {
    auto waiting = net::given<bool>([this, upload_id](std::function<void(bool)> give) {
      making_[upload_id].push_back([give = std::move(give)] { give(true); });
    });
    co_await std::move(waiting);
  }
  co_return true;
}

bool kept_streams::was_removed(const std::string& id_or_upload) const {
  return store_.removed_by_person(id_or_upload);
}

void kept_streams::load(std::string_view id, std::function<void()> ready) {
  const auto run = of_id(id);
  if (!run) return ready();
  if (run->is_partial()) {
    run->used();
    return bring(run->id(), [run, ready = std::move(ready)] { run->load(ready); });
  }
  if (!run->is_loaded()) unload_idle();
  run->load(std::move(ready));
}

std::string kept_streams::free_id(const std::string& wish) const {
  const auto is_free = [&](const std::string& id) {
    return !streams_.contains(id) && store_.is_free(id);
  };
  const auto now = std::chrono::system_clock::now();
  if (const auto began = spool::minute_of(wish); began && is_free(wish)) {
    if (*began - now <= limits::wished_id_apart) return wish;  // late is no trouble: `tofud resume`
  }
  for (;;) {
    std::string id = spool::run_id(now, spool::random_digits());
    if (is_free(id)) return id;
  }
}

net::task<kept_streams::run_page> kept_streams::list(feed::run_query query,
                                                     const access::principal& by) {
  put_dirty();  // who asks right after an acknowledgement finds that run
  const std::vector<std::string> statuses = query.statuses;
  for (std::string* run : {&query.since, &query.until}) {  // streams are what the index knows
    if (stream_of(*run) != nullptr) run->resize(stream_id(*run).size());
  }
  auto listing = store_.list(std::move(query), access::run_filter_of(by));
  const journal::run_list found = co_await std::move(listing);
  run_page page;
  page.next = found.next;
  page.counts = found.counts;
  page.trouble = found.trouble;
  page.failure = found.failure;
  for (const journal::listed_view& each : found.runs) {
    const stream* of = stream_of(each.id);
    if (of == nullptr) continue;  // removed since
    for (auto shown = of->shown.rbegin(); shown != of->shown.rend(); ++shown) {
      const std::string status{feed::name((*shown)->view().status)};
      const bool wanted =
          statuses.empty() || std::find(statuses.begin(), statuses.end(), status) != statuses.end();
      if (wanted) page.runs.push_back(*shown);
    }
  }
  co_return page;
}

// ---- the index -------------------------------------------------------------------------------

net::task<text::failure> kept_streams::reindex() {
  auto emptying = store_.reindex();
  text::failure failure = co_await std::move(emptying);
  if (!failure.empty()) co_return failure;
  const bool idle = recovering_.empty();
  for (auto each = streams_.rbegin(); each != streams_.rend(); ++each) {
    ingested_run& run = *each->second.run;
    if (run.is_loaded() && run.is_over()) {
      over(run);
    } else if (run.complete() || run.is_given_up()) {
      read_again(run);
    } else {
      dirty_.insert(each->first);
    }
  }
  if (idle) recover_next();
  co_return failure;
}

// ---- what the folds say ---------------------------------------------------------------------

void kept_streams::began(ingested_run& run, pipeline::run& folded) {
  registry::shown_run* shown = shown_.of_id(folded.state.id());
  if (shown == nullptr) {
    shown = &show(*stream_of(run.id()), folded.view());
  } else if (!run.is_over() || !shown->last.unreadable.empty()) {
    shown->last = folded.view();
  }
  shown_.offer(*shown, folded);
}

void kept_streams::changed(ingested_run& run, pipeline::run& folded) {
  registry::shown_run* shown = shown_.of_id(folded.state.id());
  if (shown == nullptr || run.is_over()) return;  // opened again: nothing of it is new
  shown_.changed(*shown, run.came_at());
  // The card looks at what changes with every line once a second.
  if (shown->facts.id.empty() || shown->facts.status != folded.state.status() ||
      has_news_for_card(*shown))
    learn(*shown);
  dirty_.insert(run.id());
}

/// Looks at diagnostics as they come: a second of them is too much for one turn of the loop.
bool kept_streams::has_news_for_card(registry::shown_run& shown) {
  if (shown.live == nullptr) return false;
  const correlator::run_state& state = shown.live->state;
  for (; shown.diagnostics_seen < state.diagnostics(); ++shown.diagnostics_seen) {
    wall::run_facts of_one;
    if (wall::take(of_one, state.diagnostic_at(shown.diagnostics_seen))) return true;
  }
  return false;
}

/// Tells its stack's card what is known of the run by now.
void kept_streams::learn(registry::shown_run& shown) { learn(shown, *stream_of(shown.id())->run); }

void kept_streams::learn(registry::shown_run& shown, const ingested_run& of) {
  wall::run_facts facts = shown.facts;
  facts.id = shown.id();
  facts.command_told = of.header().command.has_value();
  facts.heard_at = of.header().created_at;
  const feed::run_view view = shown.view();
  facts.stack = view.stack;
  for (const feed::label& label : view.labels) wall::take(facts, label);
  for (const events::event& event : of.parsed_events()) {
    const auto* file = std::get_if<events::plan_file>(&event.what);
    if (file == nullptr) continue;
    const bool taken = file->role == events::plan_role::argument;
    (taken ? facts.plan_taken : facts.plan_made) = file->sha256;
    if (taken) facts.takes_plan = true;
  }
  if (shown.live != nullptr) {
    const correlator::run_state& state = shown.live->state;
    facts.apply_ran = state.apply_ran();
    for (; shown.diagnostics_seen < state.diagnostics(); ++shown.diagnostics_seen) {
      wall::take(facts, state.diagnostic_at(shown.diagnostics_seen));
    }
    for (std::size_t i = 0; i < state.outputs(); ++i) wall::take(facts, state.output_at(i));
    if (view.status != feed::run_status::running) take_rows(facts, state);
  }
  wall::take(facts, view);
  if (facts == shown.facts) return;
  shown.facts = std::move(facts);
  walls_.learned(shown);
}

void kept_streams::over(ingested_run& run) {
  stream& of = *stream_of(run.id());
  const bool ends_here = std::exchange(of.ends_here, false);
  of.place.reset();
  const auto did = std::make_shared<done_by_run>();
  did->run = run.id();
  did->keeps = run.keep_folded();
  for (const auto& shown : of.shown) {
    if (shown->live == nullptr) continue;
    shown->last = shown->live->view();
    if (ends_here) ++counts_.runs_over[std::string{feed::name(shown->last.status)}];
    shown_.changed(*shown);
    learn(*shown);
    did->states.push_back(&shown->live->state);
  }
  dirty_.erase(run.id());
  if (ended_) {
    const auto when = run.is_elsewhere().is_taken ? ending::elsewhere
                      : ends_here                 ? ending::just_now
                                                  : ending::again;
    ended_(run, of.shown, when, [this, id = run.id()] {
      if (const stream* told = stream_of(id)) put(*told);
    });
  } else {
    put(of);
  }
  // Of what others take in they tell.
  if (!run.is_elsewhere().is_taken) add_history(did);
}

void kept_streams::put(const stream& which) {
  if (which.shown.empty()) return;
  const ingested_run& run = *which.run;
  journal::indexed_run row = indexed(which.shown);
  row.id = run.id();
  row.granted = feed::labels_text(run.header().granted);
  row.created_at = run.header().created_at;
  row.bytes = run.kept_bytes();
  row.events = run.events().size();
  if (is_shared() && !run.is_elsewhere().is_taken) shared_->changed(run, row.view);
  store_.put(std::move(row), said("the list of runs"));
}

bool kept_streams::watched(const stream& which) const {
  return std::any_of(which.shown.begin(), which.shown.end(), [&](const auto& shown) {
    return shown->live != nullptr && shown->live->topic.is_watched();
  });
}

bool kept_streams::is_in_use(const std::string& id) const {
  const stream* which = stream_of(id);
  if (which == nullptr) return false;
  const bool is_sent = !which->run->complete() && which->run->contact() == feed::run_contact::ok;
  return is_sent || watched(*which);
}

void kept_streams::unload(stream& which, const fanout::refusal& why) {
  for (registry::shown_run* shown : which.shown) shown_.withdraw(*shown, why);
  which.run->unload();
}

// ---- once a second --------------------------------------------------------------------------

void kept_streams::begin() { sweep_later(); }

void kept_streams::stop() {
  sweep_clock_.cancel();
  deaths_.ended();
  put_dirty();
}

void kept_streams::sweep_later() {
  sweep_clock_.expires_after(between_sweeps);
  sweep_clock_.async_wait([this](boost::system::error_code failed) {
    if (failed) return;
    sweep();
    sweep_later();
  });
}

void kept_streams::sweep() {
  const operations::doing sweeping{"the regular check of all runs"};
  ++sweeps_;
  for (auto& [id, of] : streams_) {
    if (!of.run->complete()) look_after(of);
  }
  put_dirty();
  if (sweeps_ % 60 == 0) unload_idle();
  if (is_shared() && sweeps_ % limits::copies_looked_at_every == 0) drop_copies();
  look_after_memory();
  if (sweeps_ % sweeps_an_hour == 0) walls_.forget_removed();
}

/// Senders that are lost leave their places to others. They may come back all the same.
void kept_streams::look_after(stream& which) {
  if (which.run->is_elsewhere().is_taken) return look_after_elsewhere(which);
  which.run->look_after_contact();
  which.run->look_after_silence();
  const bool is_heard = which.run->contact() == feed::run_contact::ok;
  const bool is_wanted = which.run->folded() == nullptr && is_heard && recovering_.empty();
  if (is_wanted && why_full().empty() && has_room_for(which)) {
    if (std::exchange(which.let_go_at, 0) > 0) {
      operations::log_warning(operations::events::run_remark, {which.run->id(), ""},
                              "run {} is shown again", which.run->id());
    }
    which.run->load([] {});
  }
  const bool is_lost = which.run->contact() == feed::run_contact::lost;
  if (is_lost) {
    which.place.reset();
  } else if (!which.place) {
    which.place = live_.take(which.sender, which.run->header().sent_as);
  }
}

void kept_streams::sent_by(const ingested_run& run, const std::string& sender) {
  stream* which = stream_of(run.id());
  if (which == nullptr || !which->sender.empty() || sender.empty() || run.complete()) return;
  which->sender = sender;
  if (which->place) which->place = live_.take(sender, run.header().sent_as);
}

void kept_streams::show(correlator::text_policy shows) {
  if (shows == shows_) return;
  shows_ = shows;
  for (auto& [id, of] : streams_) {
    of.run->show(shows);
    if (of.run->is_loaded() && of.run->is_over() && !watched(of)) unload(of);
  }
}

void kept_streams::put_dirty() {
  for (const std::string& id : std::exchange(dirty_, {})) {
    stream* changed = stream_of(id);
    if (changed == nullptr) continue;
    for (const auto& shown : changed->shown) learn(*shown);
    put(*changed);
  }
}

}  // namespace tofud::serve
