#include "daemon/fanout/hub.hpp"

#include "daemon/fanout/flush_cache.hpp"
#include "daemon/operations/log_event.hpp"
#include "protocol/feed/control.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <new>
#include <random>
#include <unordered_map>
#include <utility>

namespace tofud::fanout {
namespace {

namespace asio = boost::asio;
namespace intrusive = boost::intrusive;
using clock = std::chrono::steady_clock;
using timer =
    asio::basic_waitable_timer<clock, asio::wait_traits<clock>, asio::io_context::executor_type>;
using boost::system::error_code;

/// Subscribers served before other sockets get their turn: about half a millisecond of sends.
constexpr int subscribers_per_turn = 64;

/// Subscribers of one filter stand at a few places at most; each flush is at most a frame.
constexpr std::size_t flushes_remembered = 32;

/// A close frame holds 123 bytes of reason; cut at a character.
std::string_view fit_reason(std::string_view reason) {
  constexpr std::size_t most = 123;
  if (reason.size() <= most) return reason;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U) --end;
  return reason.substr(0, end);
}

/// Declared to throw; it has nothing that could fail.
void cancel(timer& which) noexcept {
  try {
    which.cancel();
  } catch (...) {  // nothing waits then
  }
}

std::string framed(const std::vector<std::string>& lines, framing frames) {
  std::string text, out;
  for (const auto& line : lines) text.append(line) += '\n';
  if (frames == framing::lines) return text;
  append_sse(out, text);
  return out;
}

}  // namespace

struct offered_topic {
  using queue = intrusive::list<subscriber, intrusive::base_hook<topic_hook>,
                                intrusive::constant_time_size<false>>;

  offered_topic(topic& offered, asio::io_context& io)
      : rows{&offered}, flush_clock{io.get_executor()} {}

  topic* rows;    // null: withdrawn
  queue waiting;  // at the head at their last fill
  queue due;      // to be served, some of them each turn
  timer flush_clock;
  std::shared_ptr<void> watched = std::make_shared<char>();  // shared with who subscribes to it
  clock::time_point last_flush{};
  std::optional<clock::time_point> since;           // when the oldest change of the next flush came
  std::optional<clock::time_point> flushing_since;  // of the one that is being served
  std::uint64_t version = 0;                        // counts `changed`
  bool flush_coming = false;
  bool serving = false;  // a turn is posted
};

struct hub_state : std::enable_shared_from_this<hub_state> {
  using members_list = intrusive::list<subscriber, intrusive::base_hook<hub_hook>,
                                       intrusive::constant_time_size<false>>;

  hub_state(asio::io_context& context, hub_options chosen)
      : io{context},
        options{std::move(chosen)},
        sweep_clock{io.get_executor()},
        deadline_clock{io.get_executor()} {}

  void begin(subscriber& who);
  void sent(subscriber& who);
  void leave(subscriber& who) noexcept;

  void changed(offered_topic& which, const std::shared_ptr<offered_topic>& keep,
               std::optional<clock::time_point> since);
  void flush(const std::shared_ptr<offered_topic>& which);
  void serve_some(const std::shared_ptr<offered_topic>& which);
  void serve_later(const std::shared_ptr<offered_topic>& which);
  void advance(subscriber& who);
  void refuse(subscriber& who, refusal why);
  void close_without_permit();
  void settle(subscriber& who);
  void start_send(subscriber& who, std::shared_ptr<const std::string> bytes);
  void say_goodbye(subscriber& who, close_code code, std::string_view reason);
  void say_last(subscriber& who);

  void sweep_later();
  void sweep();
  void sweep(subscriber& who);

  void finish(goodbye words, std::function<void()> then);
  void stop() noexcept;
  void check_done() noexcept;
  std::chrono::microseconds tick() const;
  void complain(std::string_view what) noexcept;
  void count_close(close_code code) noexcept;

  /// Runs `step` for `who`; an exception ends that session only.
  template <class Step>
  void guarded(subscriber& who, Step step) noexcept {
    try {
      step();
    } catch (const std::exception& e) {
      complain(e.what());
      who.drop();
    } catch (...) {
      complain("unknown exception");
      who.drop();
    }
  }

  asio::io_context& io;
  hub_options options;
  std::unordered_map<std::string, std::shared_ptr<offered_topic>> runs;
  std::unordered_map<const topic*, std::shared_ptr<offered_topic>> by_topic;
  std::shared_ptr<offered_topic> wall;
  std::string latest;
  flush_cache cache{flushes_remembered};
  hub_counts counts;
  std::optional<clock::duration> waited;  // of what is being flushed
  members_list members;
  std::size_t count = 0;
  timer sweep_clock, deadline_clock;
  clock::time_point now = clock::now();  // of the last flush, sweep or arrival
  bool sweeping = false;
  bool stopped = false;
  std::optional<goodbye> last_words;
  std::function<void()> done;
  std::string heartbeat_line;  // of this sweep, for `heartbeat_at`
  feed::sequence heartbeat_at = 0;
  std::minstd_rand random{std::random_device{}()};
  clock::time_point complained{};
  std::uint64_t complaints = 0;
};

// ---- subscribers come and go --------------------------------------------------------------

void hub_state::begin(subscriber& who) {
  if (stopped) return who.drop();
  now = clock::now();
  who.last_sent_ = who.last_read_ = who.progress_ = now;
  who.member_ = true;
  ++counts.subscribed;
  members.push_back(who);
  ++count;
  who.transport_ = who.sent_by();
  ++counts.subscribers[static_cast<std::size_t>(who.transport_)];
  sweep_later();
  guarded(who, [&] {
    auto greeting = std::make_shared<const std::string>(std::move(who.greeting_));
    who.greeting_ = {};
    start_send(who, std::move(greeting));
  });
}

void hub_state::leave(subscriber& who) noexcept {
  if (!who.member_) return;
  who.member_ = false;
  who.closing_ = true;
  who.watches_.reset();
  who.hub_hook::unlink();
  who.topic_hook::unlink();
  --count;
  --counts.subscribers[static_cast<std::size_t>(who.transport_)];
  count_close(who.closed_with_);
  check_done();
}

void hub_state::sent(subscriber& who) {
  who.writing_ = false;
  if (stopped || who.closing_ || !who.member_) return;
  if (!who.topic_) return say_goodbye(who, who.refused_.code, who.refused_.message);
  if (who.permit_ && !who.permit_->empty()) {
    return refuse(who, {close_codes::permit_over, *who.permit_});
  }
  if (who.more_ || last_words) return advance(who);
  if (who.version_ == who.topic_->version) return settle(who);
  if (who.topic_->flush_coming) {
    who.topic_->waiting.push_back(who);
  } else {
    advance(who);
  }
}

// ---- flushing -----------------------------------------------------------------------------

std::chrono::microseconds hub_state::tick() const {
  const auto most = std::chrono::duration_cast<std::chrono::microseconds>(options.tick_max);
  const std::chrono::microseconds wish{
      static_cast<std::int64_t>(std::max(1.0, std::sqrt(static_cast<double>(count))) * 1000)};
  return std::min(wish, most);
}

void hub_state::changed(offered_topic& which, const std::shared_ptr<offered_topic>& keep,
                        std::optional<clock::time_point> since) {
  ++which.version;
  if (which.flush_coming || count == 0) return;
  const auto at = clock::now();
  which.since = since.value_or(at);
  const auto due = which.last_flush + tick();
  if (at >= due) {
    // Those who still write are behind a full flush: they go on by themselves.
    if (!which.waiting.empty()) flush(keep);
    return;
  }
  which.flush_coming = true;
  which.flush_clock.expires_at(due);
  which.flush_clock.async_wait([self = shared_from_this(), keep](error_code ec) {
    keep->flush_coming = false;
    if (!ec && !self->stopped) self->flush(keep);
  });
}

void hub_state::flush(const std::shared_ptr<offered_topic>& which) {
  now = which->last_flush = clock::now();
  which->due.splice(which->due.end(), which->waiting);
  which->flushing_since = std::exchange(which->since, std::nullopt);
  if (!which->serving) serve_some(which);
}

void hub_state::serve_some(const std::shared_ptr<offered_topic>& which) {
  // Those who come back to `due` in this turn wait for the next one.
  offered_topic::queue turn;
  for (int n = 0; n < subscribers_per_turn && !which->due.empty(); ++n) {
    auto& who = which->due.front();
    which->due.pop_front();
    turn.push_back(who);
  }
  if (which->flushing_since) waited = clock::now() - *which->flushing_since;
  while (!turn.empty()) {
    auto& who = turn.front();
    turn.pop_front();
    guarded(who, [&] { advance(who); });
  }
  waited.reset();
  if (which->due.empty()) {
    which->flushing_since.reset();
  } else {
    serve_later(which);
  }
}

void hub_state::serve_later(const std::shared_ptr<offered_topic>& which) {
  if (which->serving) return;
  which->serving = true;
  asio::post(io, [self = shared_from_this(), which] {
    which->serving = false;
    if (!self->stopped) self->serve_some(which);
  });
}

void hub_state::advance(subscriber& who) {
  if (who.closing_ || who.writing_) return;
  auto& from = *who.topic_;
  if (!from.rows) return refuse(who, {close_codes::no_such_run, "the run is gone"});
  auto next = cache.next(*from.rows, who.where_, who.wanted_, who.frames_);
  who.version_ = from.version;
  who.more_ = next.did == filled::more;
  if (next.bytes) return start_send(who, std::move(next.bytes));
  if (!who.more_) return settle(who);
  from.due.push_back(who);
  serve_later(who.topic_);
}

/// In the middle of a subscription; `sent` says goodbye.
void hub_state::refuse(subscriber& who, refusal why) {
  who.refused_ = std::move(why);
  who.topic_hook::unlink();
  who.topic_.reset();
  who.watches_.reset();
  const std::vector<std::string> lines{feed::error(who.refused_.code, who.refused_.message)};
  start_send(who, std::make_shared<const std::string>(framed(lines, who.frames_)));
}

void hub_state::close_without_permit() {
  for (auto it = members.begin(); it != members.end();) {
    auto& who = *it++;
    if (!who.permit_ || who.permit_->empty() || !who.topic_ || who.closing_) continue;
    if (who.writing_) continue;  // `sent` sees it
    guarded(who, [&] { refuse(who, {close_codes::permit_over, *who.permit_}); });
  }
}

void hub_state::settle(subscriber& who) {
  if (last_words) return say_last(who);
  if (who.end_close_ && who.topic_->rows && who.topic_->rows->ended()) {
    return say_goodbye(who, close_codes::asked_for, "the run is over");
  }
  who.topic_->waiting.push_back(who);
}

void hub_state::start_send(subscriber& who, std::shared_ptr<const std::string> bytes) {
  who.writing_ = true;
  who.owing_ = true;
  who.last_sent_ = now;
  who.frame_bytes_ = bytes->size();
  ++counts.frames;
  if (waited) counts.delivery.add(*waited);
  who.send(std::move(bytes));
}

void hub_state::say_goodbye(subscriber& who, close_code code, std::string_view reason) {
  if (who.closing_) return;
  who.closing_ = true;
  who.closed_with_ = code;
  who.closing_since_ = clock::now();
  who.topic_hook::unlink();
  who.close(code, fit_reason(reason));
}

void hub_state::say_last(subscriber& who) {
  if (last_words->retry_spread.count() <= 0) {
    return say_goodbye(who, last_words->code, last_words->reason);
  }
  std::uniform_int_distribution<std::int64_t> spread{0, last_words->retry_spread.count()};
  say_goodbye(who, last_words->code, "retry_ms=" + std::to_string(spread(random)));
}

// ---- the sweep ----------------------------------------------------------------------------

void hub_state::sweep_later() {
  if (sweeping || stopped) return;
  sweeping = true;
  sweep_clock.expires_after(options.sweep);
  sweep_clock.async_wait([self = shared_from_this()](error_code ec) {
    self->sweeping = false;
    if (ec || self->stopped) return;
    self->sweep();
    if (self->count > 0) self->sweep_later();
  });
}

void hub_state::sweep() {
  now = clock::now();
  heartbeat_line.clear();
  for (auto it = members.begin(); it != members.end();) {
    auto& who = *it++;  // `who` may leave
    guarded(who, [&] { sweep(who); });
  }
}

void hub_state::sweep(subscriber& who) {
  const auto seen = who.seen(who.owing_);
  counts.waiting.add(static_cast<std::size_t>(std::max(seen.unacknowledged, 0)) +
                     (who.writing_ ? who.frame_bytes_ : 0));
  if (seen.reads != who.last_seen_.reads) {
    who.last_read_ = now;
    who.pings_ = 0;
  }
  if (who.owing_) {
    if (seen.unacknowledged == 0 && !who.writing_) {
      who.owing_ = false;
      who.progress_ = now;
    } else if (seen.writes != who.last_seen_.writes ||
               seen.unacknowledged < who.last_seen_.unacknowledged) {
      who.progress_ = now;
      if (who.writing_) who.last_read_ = now;  // it takes bytes: its pong may be far behind them
    } else if (!who.closing_ &&
               now - std::max(who.progress_, who.last_sent_) >= options.stalled_after) {
      ++counts.stalled;
      // It may be read in the end, by who was only stopped; a full socket is dropped below.
      say_goodbye(who, close_codes::stalled, "nothing was read for too long");
    }
  }
  who.last_seen_ = seen;
  if (!seen.open && !who.closing_) who.closing_by_itself(close_codes::no_word);
  if (who.closing_) {
    if (now - who.closing_since_ >= options.close_time) {
      ++counts.dropped_closing;
      who.drop();
    }
    return;
  }
  if (who.writing_) return;
  if (now - who.last_read_ >= options.ping_after * (who.pings_ + 1)) {
    if (who.pings_ >= options.missed_pings) {
      ++counts.missed_pings;
      return who.drop();
    }
    if (who.ping()) ++who.pings_;
  }
  if (who.topic_ && now - who.last_sent_ >= options.heartbeat - options.sweep / 2) {
    if (heartbeat_line.empty() || heartbeat_at != who.where_.at) {
      const auto stamp =
          std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
      heartbeat_at = who.where_.at;
      heartbeat_line = feed::heartbeat(stamp, heartbeat_at);
    }
    who.topic_hook::unlink();
    const std::vector<std::string> lines{heartbeat_line};
    start_send(who, std::make_shared<const std::string>(framed(lines, who.frames_)));
  }
}

// ---- the end ------------------------------------------------------------------------------

void hub_state::finish(goodbye words, std::function<void()> then) {
  last_words = std::move(words);
  done = std::move(then);
  deadline_clock.expires_after(last_words->deadline);
  deadline_clock.async_wait([self = shared_from_this()](error_code ec) {
    if (ec || self->stopped) return;
    for (auto it = self->members.begin(); it != self->members.end();) (it++)->drop();
    asio::post(self->io, [self] {
      auto call = std::exchange(self->done, nullptr);
      if (call) call();
    });
  });
  for (auto it = members.begin(); it != members.end();) {
    auto& who = *it++;
    if (!who.topic_ || who.closing_) continue;
    if (last_words->then == goodbye::when::at_once) {
      guarded(who, [&] { say_last(who); });
    } else if (!who.writing_) {
      who.topic_hook::unlink();
      who.topic_->due.push_back(who);
      serve_later(who.topic_);
    }
  }
  check_done();
}

void hub_state::check_done() noexcept {
  if (count > 0 || !done || stopped) return;
  cancel(deadline_clock);
  try {
    asio::post(io, std::exchange(done, nullptr));
  } catch (const std::exception& e) {
    complain(e.what());
  }
}

void hub_state::stop() noexcept {
  stopped = true;
  done = nullptr;
  for (auto it = members.begin(); it != members.end();) (it++)->drop();
  for (auto& [key, which] : by_topic) {
    which->rows = nullptr;
    cancel(which->flush_clock);
  }
  cancel(sweep_clock);
  cancel(deadline_clock);
}

void hub_state::count_close(close_code code) noexcept {
  try {
    ++counts.closed[code];
  } catch (const std::bad_alloc&) {  // a count is not worth an end
  }
}

void hub_state::complain(std::string_view what) noexcept {
  ++complaints;
  const auto at = clock::now();
  if (complained != clock::time_point{} && at - complained < std::chrono::seconds{1}) return;
  complained = at;
  operations::log_warning(operations::events::session_failed, {},
                          "a subscriber's session failed: {} ({} so far)", what, complaints);
}

// ---- the subscriber's half ----------------------------------------------------------------

subscriber::subscriber(admission admitted, framing frames)
    : hub_{std::move(admitted.hub)},
      topic_{std::move(admitted.topic)},
      permit_{std::move(admitted.permit)},
      where_{admitted.where},
      wanted_{std::move(admitted.wanted)},
      greeting_{framed(admitted.greeting, frames)},
      refused_{std::move(admitted.refused)},
      frames_{frames},
      end_close_{admitted.end_close} {
  if (topic_) watches_ = topic_->watched;
}

subscriber::~subscriber() { leave(); }

void subscriber::begin() { hub_->begin(*this); }

void subscriber::sent() {
  hub_->guarded(*this, [this] { hub_->sent(*this); });
}

void subscriber::leave() noexcept { hub_->leave(*this); }

void subscriber::closing_by_itself(close_code code) {
  if (!closing_) closed_with_ = code;
  closing_ = true;
  closing_since_ = std::chrono::steady_clock::now();
  topic_hook::unlink();
}

void subscriber::floods() { ++hub_->counts.flooding; }

void subscriber::sends_too_much() { ++hub_->counts.long_messages; }

void subscriber::complain(std::string_view what) noexcept { hub_->complain(what); }

// ---- the hub ------------------------------------------------------------------------------

hub::hub(boost::asio::io_context& io, hub_options options)
    : state_{std::make_shared<hub_state>(io, std::move(options))} {}

hub::~hub() { state_->stop(); }

void hub::offer(const std::string& run_id, topic& run) {
  withdraw(run_id);
  auto offered = std::make_shared<offered_topic>(run, state_->io);
  state_->by_topic[&run] = offered;
  state_->runs[run_id] = std::move(offered);
}

void hub::offer_wall(topic& wall) {
  state_->wall = std::make_shared<offered_topic>(wall, state_->io);
  state_->by_topic[&wall] = state_->wall;
}

void hub::set_latest(const std::string& run_id) { state_->latest = run_id; }

void hub::withdraw(const std::string& run_id) {
  const auto found = state_->runs.find(run_id);
  if (found == state_->runs.end()) return;
  const auto which = found->second;
  state_->runs.erase(found);
  state_->by_topic.erase(which->rows);
  which->rows = nullptr;
  ++which->version;
  which->due.splice(which->due.end(), which->waiting);
  state_->serve_later(which);
}

void hub::close_without_permit() { state_->close_without_permit(); }

bool hub::watched(const topic& offered) const {
  const auto found = state_->by_topic.find(&offered);
  return found != state_->by_topic.end() && found->second->watched.use_count() > 1;
}

void hub::changed(topic& changed, std::optional<clock::time_point> since) {
  const auto found = state_->by_topic.find(&changed);
  if (found != state_->by_topic.end()) state_->changed(*found->second, found->second, since);
}

admission hub::refuse(refusal why) {
  admission refused;
  refused.hub = state_;
  refused.greeting.push_back(feed::error(why.code, why.message));
  refused.refused = std::move(why);
  return refused;
}

admission hub::admit(std::string_view query, const std::optional<std::string>& last_event_id,
                     std::shared_ptr<const std::string> permit) {
  auto parsed = feed::parse_stream_request(query);
  if (!parsed) {
    return refuse({close_codes::bad_request, parsed.error().field + ": " + parsed.error().message});
  }
  auto& asked = *parsed;
  if (last_event_id) {
    const auto position = feed::parse_position(*last_event_id);
    asked.since_as = position ? feed::since_given::parsed : feed::since_given::unparsable;
    if (position) asked.since = *position;
  }

  std::shared_ptr<offered_topic> which = state_->wall;
  if (!asked.run.empty()) {
    const auto& id = asked.run == "latest" ? state_->latest : asked.run;
    const auto found = state_->runs.find(id);
    which = found == state_->runs.end() ? nullptr : found->second;
  }
  if (!which) {
    if (asked.run.empty())
      return refuse({close_codes::no_such_run, "there is no wall here; name a run"});
    const auto& id = asked.run == "latest" ? state_->latest : asked.run;
    if (id.empty()) return refuse({close_codes::no_such_run, "no run has begun yet"});
    return refuse({close_codes::no_such_run, "no run " + id + "; /v1/runs lists them"});
  }

  const auto& rows = *which->rows;
  admission admitted;
  admitted.hub = state_;
  admitted.end_close = asked.end_close;
  admitted.wanted = std::move(asked.wanted);
  admitted.permit = std::move(permit);
  admitted.greeting.push_back(
      feed::hello(state_->options.server, state_->options.build, rows.name(), rows.epoch(),
                  state_->options.heartbeat,
                  admitted.permit ? feed::admitted::by_login : feed::admitted::for_good));
  if (asked.since_as == feed::since_given::unparsable) {
    admitted.greeting.push_back(feed::reset("since"));
    ++state_->counts.resyncs["since"];
  } else if (asked.since_as == feed::since_given::parsed) {
    if (const auto reason = rows.reset_reason(asked.since)) {
      admitted.greeting.push_back(feed::reset(*reason));
      ++state_->counts.resyncs[std::string{*reason}];
    } else {
      admitted.where.at = asked.since.seq;
      admitted.nothing_left =
          asked.end_close && last_event_id && rows.ended() && asked.since.seq == rows.head();
    }
  }
  admitted.topic = std::move(which);
  return admitted;
}

void hub::finish(goodbye last, std::function<void()> done) {
  state_->finish(std::move(last), std::move(done));
}

std::size_t hub::subscribers() const { return state_->count; }

std::chrono::microseconds hub::tick() const { return state_->tick(); }
const hub_options& hub::options() const { return state_->options; }
const hub_counts& hub::counts() const { return state_->counts; }

}  // namespace tofud::fanout
