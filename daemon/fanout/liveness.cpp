// The sweep: who reads no more, answers no pings or has long been closing goes; who hears nothing
// gets a heartbeat.
#include "daemon/fanout/hub_state.hpp"
#include "protocol/feed/control.hpp"

#include <algorithm>

namespace tofud::fanout {

void hub_state::sweep_later() {
  if (sweeping || stopped) return;
  sweeping = true;
  sweep_clock.expires_after(options.sweep);
  sweep_clock.async_wait([self = shared_from_this()](boost::system::error_code ec) {
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
      close_subscriber(who, close_codes::stalled, "the subscriber read nothing for too long");
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
  const bool is_news =
      who.told_.not_current != not_current.version && who.where_.live && !who.where_.walking;
  if (who.topic_ && (is_news || now - who.last_sent_ >= options.heartbeat - options.sweep / 2)) {
    who.told_.not_current = not_current.version;
    if (heartbeat_line.empty() || heartbeat_at != who.where_.at) {
      const auto stamp =
          std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
      heartbeat_at = who.where_.at;
      heartbeat_line = feed::heartbeat(stamp, heartbeat_at, not_current.why);
    }
    who.topic_hook::unlink();
    const std::vector<std::string> lines{heartbeat_line};
    start_send(who, counted_flush(framed(lines, who.frames_)));
  }
}

}  // namespace tofud::fanout
