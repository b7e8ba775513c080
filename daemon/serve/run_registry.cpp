#include "daemon/serve/run_registry.hpp"

#include "daemon/reader/run_id.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/run_view.hpp"
#include "protocol/limits.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds between_sweeps{1};
constexpr std::uint64_t sweeps_an_hour = 3600;

/// `ID.2` is of the stream ID.
std::string_view stream_id(std::string_view run) { return run.substr(0, run.find('.')); }

journal::indexed_run row_of(const shown_run& shown) {
  const feed::run_view view = shown.view();
  journal::indexed_run row;
  row.id = view.id;
  row.stream = shown.of->id();
  row.stack = view.stack;
  row.command = feed::name(view.command);
  row.status = feed::name(view.status);
  row.labels = view.labels;
  row.created_at = shown.of->header().created_at;
  row.started_at = view.started_at;
  row.ended_at = view.ended_at;
  row.bytes = shown.of->bytes();
  row.over = shown.of->is_over();
  feed::encode(row.view, view, 0);
  return row;
}

/// What the run did, for those who ask how long such a thing takes.
std::vector<journal::operation> operations_of(const correlator::run_state& run) {
  std::vector<journal::operation> done;
  for (const auto& resource : run.resources()) {
    for (const feed::step& step : resource.row.steps) {
      if (step.status != feed::step_status::done && step.status != feed::step_status::failed)
        continue;
      if (!step.started_at || !step.ended_at || step.inferred) continue;
      journal::operation each;
      each.run = run.id();
      each.stack = run.identity().stack;
      each.addr = resource.row.addr;
      each.type = resource.row.type;
      each.step = step.n;
      each.action = feed::name(step.action);
      each.phase = feed::name(step.phase);
      each.status = feed::name(step.status);
      each.started_at = *step.started_at;
      each.elapsed = std::max(*step.ended_at - *step.started_at, std::chrono::microseconds{0});
      done.push_back(std::move(each));
    }
  }
  return done;
}

}  // namespace

run_registry::run_registry(asio::io_context& io, journal::store& store, fanout::hub& hub,
                           wall& wall)
    : io_{io}, store_{store}, hub_{hub}, wall_{wall}, sweep_clock_{io} {}

run_registry::~run_registry() = default;

ingested_run::listeners run_registry::listeners() {
  return {[this](ingested_run& run, pipeline::run& folded) { began(run, folded); },
          [this](ingested_run& run, pipeline::run& folded) { changed(run, folded); },
          [this](ingested_run& run) { over(run); }};
}

run_registry::stream& run_registry::add(journal::kept_run kept) {
  const std::string id = kept.header.id;
  if (!kept.header.upload_id.empty()) by_upload_[kept.header.upload_id] = id;
  if (!kept.complete) ++live_;
  stream& added = streams_[id];
  added.run = std::make_shared<ingested_run>(io_, store_, std::move(kept), listeners());
  return added;
}

// ---- from the last start --------------------------------------------------------------------

void run_registry::recover(std::vector<journal::kept_run> kept, const journal::run_page& known) {
  std::deque<std::string> to_index;
  for (journal::kept_run& each : kept) {  // newest first
    if (!each.remark.empty()) spdlog::warn("run {}: {}", each.header.id, each.remark);
    const std::string id = each.header.id;
    const bool whole = each.complete;
    const bool cut_off = !whole && each.header.upload_id.empty();
    const std::uint64_t bytes = each.bytes, events = each.events.size();
    const auto run = add(std::move(each)).run;
    (whole || cut_off ? to_index : recovering_).push_back(id);
    if (!cut_off) continue;
    // Nobody can send the rest of it.
    run->add_event({events + 1, bytes, ingest::broken_event(bytes)}, [run](const std::string&) {
      run->finish([](const std::string&) {});
    });
  }
  recovering_.insert(recovering_.end(), to_index.begin(), to_index.end());
  show_indexed(known);
  set_latest();
  recover_next();
}

/// Runs the index has need not be folded before somebody looks at them.
void run_registry::show_indexed(const journal::run_page& known) {
  std::vector<const journal::indexed_run*> sorted;
  std::set<std::string> indexed;
  for (const auto& row : known.runs) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::pair{a->created_at, a->id} < std::pair{b->created_at, b->id};
  });
  for (const auto* row : sorted) {
    stream* of = stream_of(row->stream);
    if (of == nullptr || !of->run->complete() || !row->over || row->bytes != of->run->bytes() ||
        of->run->folded() != nullptr) {
      continue;
    }
    auto view = feed::parse_run_view(row->view);
    if (!view) continue;
    auto shown = std::make_unique<shown_run>();
    shown->of = of->run.get();
    shown->last = std::move(*view);
    show_on_wall(*shown);
    wall_.changed(*shown->on_wall);
    of->shown.push_back(std::move(shown));
    indexed.insert(row->stream);
  }
  std::erase_if(recovering_, [&](const std::string& id) { return indexed.contains(id); });
  hub_.changed(wall_.topic());
}

void run_registry::recover_next() {
  if (recovering_.empty()) return;
  const std::string id = recovering_.front();
  stream* next = stream_of(id);
  const auto go_on = [this, id] {
    if (!recovering_.empty() && recovering_.front() == id) recovering_.pop_front();
    if (stream* folded = stream_of(id); folded != nullptr) {
      if (folded->run->is_over() && !watched(*folded)) unload(*folded);
    }
    asio::post(io_, [this] { recover_next(); });
  };
  if (next == nullptr) return go_on();
  next->run->load(go_on);
}

// ---- lookups --------------------------------------------------------------------------------

run_registry::stream* run_registry::stream_of(std::string_view id) {
  const auto found = streams_.find(stream_id(id));
  return found == streams_.end() ? nullptr : &found->second;
}

const run_registry::stream* run_registry::stream_of(std::string_view id) const {
  const auto found = streams_.find(stream_id(id));
  return found == streams_.end() ? nullptr : &found->second;
}

std::shared_ptr<ingested_run> run_registry::find(std::string_view id) const {
  const std::string newest = id == "latest" ? latest() : std::string{id};
  const stream* found = stream_of(newest);
  return found == nullptr ? nullptr : found->run;
}

std::shared_ptr<ingested_run> run_registry::by_upload(const std::string& upload_id) const {
  const auto found = by_upload_.find(upload_id);
  return found == by_upload_.end() ? nullptr : find(found->second);
}

bool run_registry::was_removed(const std::string& id_or_upload) const {
  return store_.removed_by_person(id_or_upload);
}

const shown_run* run_registry::shown(std::string_view id) const {
  const stream* of = stream_of(id);
  if (of == nullptr) return nullptr;
  for (const auto& each : of->shown) {
    if (each->last.id == id) return each.get();
  }
  return nullptr;
}

std::string run_registry::latest() const {
  for (auto each = streams_.rbegin(); each != streams_.rend(); ++each) {
    if (!each->second.shown.empty()) return each->second.shown.back()->last.id;
  }
  return "";
}

void run_registry::set_latest() {
  if (const std::string id = latest(); !id.empty()) hub_.set_latest(id);
}

std::optional<readable_run> run_registry::readable(const std::string& id) const {
  const shown_run* found = shown(id == "latest" ? latest() : id);
  if (found == nullptr || found->live == nullptr) return std::nullopt;
  const auto run = find(found->last.id);
  run->used();
  return readable_run{found->live, run->reader(), run->keep_folded()};
}

void run_registry::load(std::string_view id, std::function<void()> ready) {
  const auto run = find(id);
  if (!run) return ready();
  if (!run->is_loaded()) unload_idle();
  run->load(std::move(ready));
}

std::string run_registry::free_id(const std::string& wish) const {
  const auto is_free = [&](const std::string& id) {
    return !streams_.contains(id) && store_.is_free(id);
  };
  if (reader::is_run_id(wish) && is_free(wish)) return wish;
  for (;;) {
    std::string id = reader::run_id(std::chrono::system_clock::now(), reader::random_digits());
    if (is_free(id)) return id;
  }
}

void run_registry::list(const journal::run_query& query,
                        std::function<void(journal::run_page)> done) const {
  store_.list(query, std::move(done));
}

// ---- runs come and go -----------------------------------------------------------------------

void run_registry::create(
    journal::run_header header,
    std::function<void(std::shared_ptr<ingested_run>, std::string)> done) {
  auto kept = std::make_shared<journal::kept_run>();
  kept->header = header;
  if (!header.upload_id.empty()) making_.insert(header.upload_id);
  store_.create(std::move(header),
                [this, kept, done = std::move(done)](const std::string& failure) {
                  making_.erase(kept->header.upload_id);
                  if (!failure.empty()) return done(nullptr, failure);
                  const auto run = add(std::move(*kept)).run;
                  run->load([] {});
                  done(run, "");
                });
}

void run_registry::remove(const std::string& id, journal::removal why,
                          std::function<void(std::string)> done) {
  store_.remove(id, why, [this, id, done = std::move(done)](const std::string& failure) {
    if (failure.empty()) forget(id);
    done(failure);
  });
}

void run_registry::forget(const std::string& id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  stream& gone = found->second;
  gone.run->removed = true;
  if (!gone.run->complete()) --live_;
  unload(gone);
  for (const auto& shown : gone.shown) {
    if (shown->on_wall) wall_.remove(*shown->on_wall);
    dirty_.erase(shown.get());
    std::erase(on_wall_, shown->last.id);
  }
  by_upload_.erase(gone.run->header().upload_id);
  streams_.erase(found);
  hub_.changed(wall_.topic());
  set_latest();
}

void run_registry::reindex(std::function<void(std::string)> done) {
  store_.clear_index([this, done = std::move(done)](const std::string& failure) {
    if (failure.empty()) {
      const bool idle = recovering_.empty();
      for (auto each = streams_.rbegin(); each != streams_.rend(); ++each) {
        if (each->second.run->is_over() && each->second.run->folded()) unload(each->second);
        recovering_.push_back(each->first);
      }
      if (idle) recover_next();
    }
    done(failure);
  });
}

// ---- what the folds say ---------------------------------------------------------------------

void run_registry::began(ingested_run& run, pipeline::run& folded) {
  stream& of = *stream_of(run.id());
  const std::string& id = folded.state.id();
  shown_run* shown = nullptr;
  for (const auto& each : of.shown) {
    if (each->last.id == id) shown = each.get();
  }
  if (shown == nullptr) {
    of.shown.push_back(std::make_unique<shown_run>());
    shown = of.shown.back().get();
  }
  shown->of = &run;
  shown->live = &folded;
  shown->last = folded.view();
  hub_.offer(id, folded.topic);
  set_latest();
}

void run_registry::changed(ingested_run& run, pipeline::run& folded) {
  hub_.changed(folded.topic);
  for (const auto& shown : stream_of(run.id())->shown) {
    if (shown->live != &folded) continue;
    if (run.complete() && shown->on_wall) return;  // opened again: nothing of it is new
    if (!shown->on_wall) show_on_wall(*shown);
    wall_.changed(*shown->on_wall);
    hub_.changed(wall_.topic());
    dirty_.insert(shown.get());
  }
}

void run_registry::show_on_wall(shown_run& shown) {
  for (auto oldest = on_wall_.begin();
       on_wall_.size() >= limits::wall_runs && oldest != on_wall_.end();) {
    shown_run* old = const_cast<shown_run*>(std::as_const(*this).shown(*oldest));
    if (old != nullptr && !old->of->complete()) {
      ++oldest;
      continue;
    }
    if (old != nullptr && old->on_wall) wall_.remove(*std::exchange(old->on_wall, std::nullopt));
    oldest = on_wall_.erase(oldest);
  }
  shown.on_wall = wall_.add(feed::row_kind::run, shown.last.id,
                            [&shown](std::string& out, feed::sequence seq) {
                              feed::encode(out, shown.view(), seq);
                            });
  on_wall_.push_back(shown.last.id);
}

void run_registry::over(ingested_run& run) {
  --live_;
  std::vector<journal::indexed_run> rows;
  std::vector<journal::operation> operations;
  for (const auto& shown : stream_of(run.id())->shown) {
    if (shown->live == nullptr) continue;
    shown->last = shown->live->view();
    if (shown->on_wall) wall_.changed(*shown->on_wall);
    dirty_.erase(shown.get());
    rows.push_back(row_of(*shown));
    const auto did = operations_of(shown->live->state);
    operations.insert(operations.end(), did.begin(), did.end());
  }
  hub_.changed(wall_.topic());
  store_.put(std::move(rows));
  store_.add_operations(std::move(operations));
}

bool run_registry::watched(const stream& which) const {
  return std::any_of(which.shown.begin(), which.shown.end(), [&](const auto& shown) {
    return shown->live != nullptr && hub_.watched(shown->live->topic);
  });
}

void run_registry::unload(stream& which) {
  for (const auto& shown : which.shown) {
    if (shown->live == nullptr) continue;
    shown->last = shown->live->view();
    hub_.withdraw(shown->last.id);
    shown->live = nullptr;
  }
  which.run->unload();
}

// ---- once a second --------------------------------------------------------------------------

void run_registry::begin() { sweep_later(); }

void run_registry::stop() {
  sweep_clock_.cancel();
  put_dirty();
}

void run_registry::sweep_later() {
  sweep_clock_.expires_after(between_sweeps);
  sweep_clock_.async_wait([this](boost::system::error_code failed) {
    if (failed) return;
    sweep();
    sweep_later();
  });
}

void run_registry::sweep() {
  ++sweeps_;
  for (auto& [id, of] : streams_) {
    if (!of.run->complete()) of.run->look_after_contact();
  }
  put_dirty();
  if (sweeps_ % 60 == 0) unload_idle();
  if (sweeps_ % sweeps_an_hour == 0) wall_.forget_removed();
}

void run_registry::put_dirty() {
  std::vector<journal::indexed_run> rows;
  for (shown_run* shown : std::exchange(dirty_, {})) rows.push_back(row_of(*shown));
  if (!rows.empty()) store_.put(std::move(rows));
}

void run_registry::unload_idle() {
  std::vector<stream*> idle;
  std::size_t finished = 0;
  for (auto& [id, of] : streams_) {
    if (!of.run->is_loaded() || !of.run->is_over()) continue;
    ++finished;
    if (!watched(of)) idle.push_back(&of);
  }
  std::sort(idle.begin(), idle.end(),
            [](const auto* a, const auto* b) { return a->run->used_at() < b->run->used_at(); });
  const auto now = ingested_run::steady::now();
  for (stream* each : idle) {
    const bool too_many = finished > limits::loaded_runs;
    if (!too_many && now - each->run->used_at() < limits::unloaded_after) return;
    unload(*each);
    --finished;
  }
}

}  // namespace tofud::serve
