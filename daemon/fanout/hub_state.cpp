#include "daemon/fanout/hub_state.hpp"

#include "daemon/operations/doing.hpp"
#include "daemon/operations/log_event.hpp"
#include "protocol/feed/control.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cmath>
#include <new>

namespace tofud::fanout {
namespace {

using boost::system::error_code;

/// Subscribers served before other sockets get their turn: about half a millisecond of sends.
constexpr int subscribers_per_turn = 64;

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

}  // namespace

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
    auto greeting = counted_flush(std::move(who.told_.greeting));
    who.told_.greeting = {};
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
  if (!who.topic_) return close_subscriber(who, who.refused_.code, who.refused_.message);
  if (who.permit_ && !who.permit_->empty()) {
    return refuse(who, {close_codes::permit_over, *who.permit_});
  }
  if (who.more_ || last_words) return go_on(who);
  if (who.version_ == who.topic_->version) return settle(who);
  catch_up(who);
}

/// Sends one more frame. Its time counts as that of the flush, unless `who` came late and has yet
/// to catch up.
void hub_state::go_on(subscriber& who) {
  const bool is_of_flush = who.where_.live;
  const auto topic = who.topic_;
  const auto began = clock::now();
  advance(who);
  if (is_of_flush) topic->sending += clock::now() - began;
}

/// It was still writing when the others got what is new.
void hub_state::catch_up(subscriber& who) {
  auto& from = *who.topic_;
  const auto at = clock::now();
  if (!from.flush_coming && at >= from.last_flush + tick()) {
    from.last_flush = at;
    return advance(who);
  }
  from.waiting.push_back(who);
  if (!from.flush_coming) flush_at(who.topic_, from.last_flush + tick());
}

std::chrono::microseconds hub_state::tick() const {
  const auto most = std::chrono::duration_cast<std::chrono::microseconds>(options.tick_max);
  const std::chrono::microseconds wish{
      static_cast<std::int64_t>(std::max(1.0, std::sqrt(static_cast<double>(count))) * 1000)};
  return std::min(wish, most);
}

void offered_topic::flush(std::optional<clock::time_point> came) {
  const auto keeper = hub.lock();
  if (keeper && rows != nullptr) keeper->changed(*this, shared_from_this(), came);
}

void hub_state::changed(offered_topic& which, const std::shared_ptr<offered_topic>& keep,
                        std::optional<clock::time_point> since) {
  ++which.version;
  if (which.flush_coming || count == 0) return;
  const auto at = clock::now();
  which.since = since.value_or(at);
  if (which.waiting.empty()) return;  // those who still write go on by themselves
  if (at >= which.last_flush + tick()) return flush_unless_busy(keep, at);
  flush_at(keep, which.last_flush + tick());
}

void hub_state::flush_at(const std::shared_ptr<offered_topic>& which, clock::time_point due) {
  which->flush_coming = true;
  which->flush_clock.expires_at(due);
  which->flush_clock.async_wait([self = shared_from_this(), which](error_code ec) {
    which->flush_coming = false;
    if (!ec && !self->stopped) self->flush_unless_busy(which, clock::now());
  });
}

/// Where it takes long to send a flush to all, the next one begins after as long again, or when
/// nothing new comes: half of the time is left for what comes in.
void hub_state::flush_unless_busy(const std::shared_ptr<offered_topic>& which,
                                  clock::time_point at) {
  const bool is_new = std::exchange(which->looked_at, which->version) != which->version;
  const auto rested =
      which->last_flush + std::min<clock::duration>(2 * which->sending, limits::flush_rest);
  if (options.tick_max.count() == 0 || !is_new || at >= rested) return flush(which);
  flush_at(which, std::min(rested, at + limits::flush_quiet));
}

void hub_state::flush(const std::shared_ptr<offered_topic>& which) {
  now = which->last_flush = clock::now();
  which->sending = {};
  which->due.splice(which->due.end(), which->waiting);
  which->flushing_since = std::exchange(which->since, std::nullopt);
  if (!which->serving) serve_some(which);
}

void hub_state::serve_some(const std::shared_ptr<offered_topic>& which) {
  const std::string of = which->rows == nullptr ? "a run that is gone" : which->rows->name();
  const operations::doing serving{"serving viewers of", of};
  // Those who come back to `due` in this turn wait for the next one.
  offered_topic::queue turn;
  for (int n = 0; n < subscribers_per_turn && !which->due.empty(); ++n) {
    auto& who = which->due.front();
    which->due.pop_front();
    turn.push_back(who);
  }
  const auto began = clock::now();
  if (which->flushing_since) waited = began - *which->flushing_since;
  while (!turn.empty()) {
    auto& who = turn.front();
    turn.pop_front();
    guarded(who, [&] { advance(who); });
  }
  waited.reset();
  which->sending += clock::now() - began;
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
  if (!from.rows) return refuse(who, from.gone);
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
  start_send(who, counted_flush(framed(lines, who.frames_)));
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
  if (last_words) return close_at_end(who);
  if (who.end_close_ && who.topic_->rows && who.topic_->rows->ended()) {
    return close_subscriber(who, close_codes::asked_for, "the run is over");
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

void hub_state::close_subscriber(subscriber& who, close_code code, std::string_view reason) {
  if (who.closing_) return;
  who.closing_ = true;
  who.closed_with_ = code;
  who.closing_since_ = clock::now();
  who.topic_hook::unlink();
  who.close(code, fit_reason(reason));
}

void hub_state::close_at_end(subscriber& who) {
  if (last_words->retry_spread.count() <= 0) {
    return close_subscriber(who, last_words->code, last_words->reason);
  }
  std::uniform_int_distribution<std::int64_t> spread{0, last_words->retry_spread.count()};
  close_subscriber(who, last_words->code, "retry_ms=" + std::to_string(spread(random)));
}

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
      guarded(who, [&] { close_at_end(who); });
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
    log_failure(e.what());
  }
}

void hub_state::stop() noexcept {
  stopped = true;
  done = nullptr;
  for (auto it = members.begin(); it != members.end();) (it++)->drop();
  const auto stop_serving = [this](offered_topic& which) {
    which.rows = nullptr;
    cancel(which.flush_clock);
  };
  for (const auto& [id, which] : runs) stop_serving(*which);
  for (const auto& wall : walls) stop_serving(*wall);
  cancel(sweep_clock);
  cancel(deadline_clock);
}

void hub_state::count_close(close_code code) noexcept {
  try {
    ++counts.closed[code];
  } catch (const std::bad_alloc&) {  // a count is not worth an end
  }
}

void hub_state::log_failure(std::string_view what) noexcept {
  ++complaints;
  const auto at = clock::now();
  if (complained != clock::time_point{} && at - complained < std::chrono::seconds{1}) return;
  complained = at;
  operations::log_warning(operations::events::session_failed, {},
                          "subscriber failed: {} ({} so far)", what, complaints);
}

}  // namespace tofud::fanout
