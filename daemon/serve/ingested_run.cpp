#include "daemon/serve/ingested_run.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/cluster/errors.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/pipeline/limits.hpp"
#include "daemon/serve/limits.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <sys/stat.h>
#include <utility>

namespace tofud::serve {

namespace asio = boost::asio;

ingested_run::ingested_run(asio::io_context& io, threads beside, logs kept_in,
                           journal::kept_run kept, correlator::text_policy shows,
                           fanout::topic_limits limits, listeners told, std::string base_path)
    : io_{io},
      beside_{beside},
      kept_in_{kept_in},
      kept_{std::move(kept)},
      shows_{shows},
      limits_{std::move(limits)},
      base_path_{std::move(base_path)},
      told_{std::move(told)} {
  counted_upto_ = kept_.bytes;
  for (const journal::kept_event& event : kept_.events) remember(event);
  if (kept_.last_arrival) contact_.heard_before(kept_.last_arrival->at);
}

ingested_run::~ingested_run() { *rows_wanted_ = false; }

void ingested_run::remember(const journal::kept_event& event) {
  auto said = events::parse(event.json);
  parsed_events_.push_back({event.offset, said ? std::move(said->what) : events::body{}});
  if (folded_) folded_->rows.add(parsed_events_.back());
}

files::stream_bytes ingested_run::reader() const {
  if (auto bytes = kept_in_.here.reader(id())) return bytes;
  // It was removed a moment ago, or its file can't be opened.
  return [](std::uint64_t, std::span<char>) { return std::size_t{0}; };
}

// ---- what the sender says -------------------------------------------------------------------

net::task<text::failure> ingested_run::append(std::string bytes) {
  heard();
  return store(kept_in_.all, std::move(bytes), operations::utc_now());
}

net::task<text::failure> ingested_run::store(journal::run_log& in, std::string bytes,
                                             ui::time_point arrived) {
  const auto self = shared_from_this();
  const auto came = steady::now();
  if (!behind_since_) behind_since_ = came;
  if (!bytes.empty()) newest_bytes_at_ = came;
  const operations::held_memory held{operations::memory_for::bodies, bytes.capacity()};
  const std::size_t size = bytes.size();
  const std::uint64_t at = kept_.bytes, end = at + size;
  appending_ = size;
  auto storing = in.append(id(), std::move(bytes), arrived);
  const journal::append_result result = co_await std::move(storing);
  // Its sender is told where another daemon stands.
  const bool is_elsewhere = result.failure.is(cluster::error::other_writer) ||
                            result.failure.is(cluster::error::made_elsewhere);
  if (!is_elsewhere) say_refusal(result.failure.text());
  appending_ = 0;
  if (result.failure.empty()) {
    kept_.bytes = result.offset;
    told_.counts->bytes += size;
  }
  const bool follows = folded_ && !source_.turn_due && !removed_ && folded_upto() >= at &&
                       folded_upto() <= end && foldable() >= kept_.bytes;
  if (follows) {
    came_at_ = came;
    folded_->topics.came_at(came);
    fold(std::string_view{result.bytes}.substr(folded_upto() - at));
    came_at_.reset();
    folded_->topics.came_at(std::nullopt);
    note_clock(arrived);
    settle();
  } else {
    if (!folded_) behind_since_.reset();
    pump();
  }
  co_return result.failure;
}

// Once, not with every try of the sender.
void ingested_run::say_refusal(const std::string& failure) {
  if (failure.empty() == !refused_) return;
  refused_ = !failure.empty();
  if (refused_) {
    operations::log_error(operations::events::history_stands_still, {id(), ""},
                          "run {}: {}; recording paused at byte {}, retrying", id(), failure,
                          kept_.bytes);
  } else {
    operations::log_warning(operations::events::history_goes_on, {id(), ""},
                            "run {}: recording continues", id());
  }
}

void ingested_run::show_only(std::string_view bytes) {
  heard();
  if (folded_ && !source_.turn_due) fold(bytes);
}

net::task<text::failure> ingested_run::add_event(journal::kept_event event) {
  heard();
  return store(kept_in_.all, std::move(event));
}

net::task<text::failure> ingested_run::store(journal::run_log& in, journal::kept_event event) {
  const auto self = shared_from_this();
  const auto due = due_.insert(event.offset);
  auto storing = in.add_event(id(), event);
  text::failure failure = co_await std::move(storing);
  due_.erase(due);
  if (failure.empty()) {
    remember(event);
    kept_.events.push_back(std::move(event));
  }
  pump();
  co_return failure;
}

net::task<text::failure> ingested_run::finish() {
  const auto self = shared_from_this();
  heard();
  if (kept_.complete) co_return text::failure{};
  auto storing = kept_in_.all.complete(id(), operations::utc_now());
  text::failure failure = co_await std::move(storing);
  if (failure.empty()) {
    kept_.complete = true;
    pump();
  }
  co_return failure;
}

net::task<text::failure> ingested_run::finish_broken() {
  const auto self = shared_from_this();
  const journal::kept_event said{kept_.events.size() + 1, kept_.bytes,
                                 events::text_of({kept_.bytes, events::broken{}})};
  auto storing = add_event(said);
  text::failure failure = co_await std::move(storing);
  if (!failure.empty()) co_return failure;
  auto finishing = finish();
  failure = co_await std::move(finishing);
  co_return failure;
}

net::task<bool> ingested_run::load() {
  const auto self = shared_from_this();
  auto loading = net::given<bool>(
      [this](std::function<void(bool)> give) { load([give = std::move(give)] { give(true); }); });
  co_return co_await std::move(loading);
}

void ingested_run::remove() {
  removed_ = true;
  *rows_wanted_ = false;
  for (const auto& ready : std::exchange(waiting_, {})) ready();
}

void ingested_run::heard() {
  contact_.heard();
  look_after_contact();
}

void ingested_run::set_connected(bool connected) {
  contact_.set_connected(connected);
  heard();
}

void ingested_run::look_after_contact() {
  if (contact_.differs(contact())) surroundings_changed();
}

void ingested_run::look_after_silence() {
  if (!folded_ || kept_.complete || folded_upto() < kept_.bytes) return;
  if (steady::now() - newest_bytes_at_ >= limits::approval_shown_after) folded_->rows.silent();
}

feed::run_contact ingested_run::contact() const {
  return kept_.complete ? feed::run_contact::ok : contact_.now();
}

// ---- the fold -------------------------------------------------------------------------------

correlator::run_identity ingested_run::identity() const {
  correlator::run_identity identity;
  identity.id = id();
  identity.stack = kept_.header.stack;
  identity.labels = labels_of(kept_.header);
  identity.granted = kept_.header.granted;
  identity.command = kept_.header.command;
  identity.may_ask = kept_.header.may_ask;
  identity.parallelism = kept_.header.parallelism;
  identity.shows = shows_;
  identity.base_path = base_path_;
  if (const auto& fold = kept_.header.fold) {
    identity.shows = {fold->provisioner_output, fold->snippet_values};
    identity.base_path = fold->base_path;
  }
  return identity;
}

void ingested_run::overlay(feed::run_view& view) const {
  view.contact = contact();
  view.clock_offset = clock_.offset();
  view.created_at = kept_.header.created_at;
  view.verified = kept_.header.verified;
  if (view.status == feed::run_status::running && *view.contact == feed::run_contact::lost) {
    view.status = feed::run_status::lost;
  }
  // Of one that nobody hears of the newest estimate is old.
  if (view.status != feed::run_status::running || !folded_ || !folded_->usual) return;
  if (const auto* found = folded_->usual->estimate_of(view.id)) view.estimate = *found;
}

void ingested_run::load(std::function<void()> ready) {
  used();
  if (removed_ || given_up_ || is_loaded()) return ready();
  waiting_.push_back(std::move(ready));
  if (folded_) return pump();
  if (std::exchange(reading_, true)) return;
  const bool has_parts = std::any_of(
      parsed_events_.begin(), parsed_events_.end(),
      [](const auto& each) { return std::holds_alternative<events::attachment>(each.what); });
  if (has_parts || may_keep_rows())
    asio::co_spawn(io_, read_and_begin(), asio::detached);
  else
    begin_fold({});
}

net::task<bool> ingested_run::read_and_begin() {
  const auto self = shared_from_this();
  kept_rows kept;
  if (may_keep_rows()) {
    std::function<kept_rows()> read = [path = kept_in_.here.rows_path(id()), of = sources()] {
      return read_rows(path, of);
    };
    auto restoring = beside_.reads.result_of(std::move(read));
    kept = co_await std::move(restoring);
  }
  if (!kept.rows) {
    std::vector<feed::attachment> parts;
    for (const events::event& event : parsed_events_) {
      if (const auto* said = std::get_if<events::attachment>(&event.what))
        parts.push_back(said->part);
    }
    auto reading = read_parts(std::move(parts));
    co_await std::move(reading);
  }
  if (!removed_) begin_fold(std::move(kept));
  co_return true;
}

net::task<bool> ingested_run::read_parts(std::vector<feed::attachment> parts) {
  const auto self = shared_from_this();
  if (!folded_ && !reading_) co_return false;
  for (const feed::attachment part : parts) {
    std::function<text::result<attachments::documents::read_part>()> read =
        [part, path = kept_in_.here.attachment_path(id(), attachments::file_name(part))] {
          return attachments::documents::read(part, path);
        };
    auto reading = beside_.reads.result_of(std::move(read));
    auto made = co_await std::move(reading);
    // A failure is said when it is to be attached.
    if (made) read_parts_.insert_or_assign(part, std::move(*made));
  }
  co_return true;
}

bool ingested_run::may_keep_rows() const {
  return kept_.complete && !is_partial() && kept_.bytes >= limits::rows_kept_from;
}

row_sources ingested_run::sources() const {
  row_sources of;
  of.identity = identity();
  of.events = parsed_events_;
  of.bytes = kept_.bytes;
  for (const journal::kept_event& each : kept_.events)
    of.more.append(std::to_string(each.offset)).append(" ").append(each.json).append("\n");
  for (const auto part :
       {feed::attachment::plan, feed::attachment::schemas, feed::attachment::config}) {
    struct stat facts {};
    const auto path = kept_in_.here.attachment_path(id(), attachments::file_name(part));
    if (::stat(path.c_str(), &facts) != 0) continue;
    of.documents.emplace(part, path);
    of.more.append(feed::name(part)).append(" ").append(std::to_string(facts.st_size));
    of.more.append(" ").append(std::to_string(facts.st_mtim.tv_sec));
    of.more.append(".").append(std::to_string(facts.st_mtim.tv_nsec)).append("\n");
  }
  return of;
}

/// Beside the loop, by folding it once more: the fold is the loop's.
void ingested_run::keep_rows() {
  if (std::exchange(has_kept_rows_, true) || !may_keep_rows()) return;
  beside_.folds.post([&io = io_, &log = kept_in_.here, most = beside_.most_memory, of = sources(),
                      stream = reader(), wanted = rows_wanted_, run = id(),
                      weak = weak_from_this()] {
    const std::string text = rows_to_keep(of, stream, most, *wanted);
    if (text.empty()) return;
    const text::failure failure = log.write_rows(run, text);
    if (!*wanted) return;
    if (!failure.empty()) {
      operations::log_warning(operations::events::journal_trouble, {run, ""},
                              "run {}: its rows are not kept, so its next reader waits longer: {}",
                              run, failure.text());
      return;
    }
    asio::post(io, [weak] {
      if (const auto self = weak.lock()) self->kept_in_.here.rows_were_written(self->id());
    });
  });
}

void ingested_run::begin_fold(kept_rows restored) {
  reading_ = false;
  pipeline::run_topics::listeners told;
  told.began = [this](pipeline::run& run) { told_.began(*this, run); };
  told.changed = [this](pipeline::run& run) { told_.changed(*this, run); };
  told.arrived = [this](ui::time_point at) { note_clock(at); };
  told.overlay = [this](feed::run_view& view) { overlay(view); };
  const bool is_whole = restored.rows != nullptr;
  if (!is_whole) {
    const auto parts = [this](const events::attachment& said, attachments::documents& known) {
      return attach(said, known);
    };
    restored.rows = std::make_unique<pipeline::engine>(identity(), parts);
  }
  ended_ = false;
  has_kept_rows_ = is_whole;
  folded_ = std::make_shared<folding>(std::move(restored), std::move(told), limits_);
  if (is_whole) return pump();
  folded_->rows.count_into(told_.counts->messages, counted_upto_);
  if (!kept_.complete && told_.usual) {
    folded_->usual = std::make_unique<foresight::usual_times>(io_, folded_->rows, told_.usual);
    folded_->usual->tell(folded_->topics);
  }
  // In their order, so that each is put behind the others.
  std::vector<events::event> all = parsed_events_;
  if (!clock_.offset() && kept_.bytes > 0) {
    for (const journal::arrival& each : kept_in_.here.arrivals(id()))
      all.push_back({each.offset, events::arrival{each.at}});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& one, const auto& other) { return one.offset < other.offset; });
  for (events::event& each : all) folded_->rows.add(std::move(each));
  pump();
}

std::shared_ptr<const void> ingested_run::keep_folded() {
  used();
  return std::make_shared<std::pair<std::shared_ptr<ingested_run>, std::shared_ptr<folding>>>(
      shared_from_this(), folded_);
}

void ingested_run::unload() {
  folded_.reset();
  close_source();
}

void ingested_run::open_source() {
  source_.room.resize(limits::read_bytes);
  source_.bytes = reader();
}

// An open file outlives its name: the disk would not get a compressed or removed stream's room
// back.
void ingested_run::close_source() {
  source_.bytes = nullptr;
  source_.room = {};
}

std::size_t ingested_run::memory() {
  if (!folded_) return 0;
  folded_->weigh();
  return folded_->held.bytes();
}

bool ingested_run::is_kept_by_others() const { return folded_.use_count() > 1; }

void ingested_run::show(correlator::text_policy shows) {
  if (kept_.header.fold) return;  // others fold it as it was begun
  shows_ = shows;
  if (folded_) folded_->rows.show(shows);
}

void ingested_run::surroundings_changed() {
  if (folded_) folded_->topics.surroundings_changed();
}

void ingested_run::fold(std::string_view bytes) {
  const operations::doing folding{"folding the stream of", id()};
  folded_->rows.feed(bytes);
  if (folded_upto() - folded_->weighed_at >= limits::weighed_every) folded_->weigh();
  counted_upto_ = std::max(counted_upto_, folded_upto());
}

bool ingested_run::attach(const events::attachment& said, attachments::documents& known) {
  const std::string path = kept_in_.here.attachment_path(id(), attachments::file_name(said.part));
  if (const auto read = read_parts_.extract(said.part)) {
    known.add(read.mapped());
    return true;
  }
  const text::failure failure = known.add(said.part, path);
  if (failure.empty()) return true;
  operations::log_error(operations::events::journal_trouble, {id(), ""},
                        "run {}: what was attached is missing: {}", id(), failure.text());
  return false;
}

void ingested_run::plan_was_replaced() {
  const auto attached = folded_ ? folded_->rows.attached() : nullptr;
  if (!attached || !attached->has(feed::attachment::plan)) return;
  if (const auto read = read_parts_.extract(feed::attachment::plan)) {
    attached->add(read.mapped());
    return;
  }
  const std::string name = attachments::file_name(feed::attachment::plan);
  const text::failure failure =
      attached->add(feed::attachment::plan, kept_in_.here.attachment_path(id(), name));
  if (failure.empty()) return;
  operations::log_error(operations::events::journal_trouble, {id(), ""},
                        "run {}: its plan can't be read again: {}", id(), failure.text());
}

void ingested_run::note_clock(ui::time_point arrived) {
  const auto stamp = folded_->rows.fold().runs().back().view().last_line_at;
  if (!stamp || stamp == newest_stamp_) return;
  newest_stamp_ = stamp;
  const auto before = clock_.offset();
  clock_.arrived(arrived, *stamp);
  if (clock_.offset() != before) surroundings_changed();
}

void ingested_run::pump() {
  if (!folded_ || source_.turn_due) return;
  source_.turn_due = true;
  asio::post(io_, [self = shared_from_this()] { self->take_turn(); });
}

/// How far the stream may be folded now.
std::uint64_t ingested_run::foldable() const {
  return due_.empty() ? kept_.bytes : std::min(kept_.bytes, *due_.begin());
}

void ingested_run::take_turn() {
  source_.turn_due = false;
  if (!folded_) return;
  if (const std::uint64_t upto = foldable(); folded_upto() < upto) {
    if (!source_.bytes) open_source();
    const std::size_t wanted = std::min<std::uint64_t>(source_.room.size(), upto - folded_upto());
    const std::size_t count = source_.bytes(folded_upto(), {source_.room.data(), wanted});
    if (count > 0) {
      fold({source_.room.data(), count});
      return pump();
    }
    operations::log_error(operations::events::journal_trouble, {id(), ""},
                          "run {}: the journal can't be read from byte {}; {} bytes are missing",
                          id(), folded_upto(), kept_.bytes - folded_upto());
    folded_->rows.skip(kept_.bytes - folded_upto());
  }
  settle();
}

void ingested_run::settle() {
  if (folded_upto() < foldable()) return pump();
  close_source();
  if (folded_upto() < kept_.bytes) return;  // until the event that is due there was written
  behind_since_.reset();
  if (kept_.complete && !ended_) {
    if (!folded_->rows.end_some(limits::settled_per_turn)) return pump();
    ended_ = true;
    if (!std::exchange(over_, true)) told_.over(*this);
    keep_rows();
  }
  for (const auto& ready : std::exchange(waiting_, {})) ready();
}

}  // namespace tofud::serve
