#include "daemon/fanout/hub.hpp"

#include "daemon/fanout/hub_state.hpp"
#include "protocol/feed/control.hpp"

#include <algorithm>
#include <utility>

namespace tofud::fanout {

hub::hub(boost::asio::io_context& io, hub_options options)
    : state_{std::make_shared<hub_state>(io, std::move(options))} {}

hub::~hub() { state_->stop(); }

void hub::offer(const std::string& run_id, topic& run) {
  withdraw(run_id);
  auto offered = std::make_shared<offered_topic>(run, state_->io, state_);
  run.serve_by(offered);
  state_->runs[run_id] = std::move(offered);
}

void hub::offer_wall(topic& wall) {
  state_->walls.push_back(std::make_shared<offered_topic>(wall, state_->io, state_));
  wall.serve_by(state_->walls.back());
}

void hub::withdraw_wall(const topic& wall) {
  std::erase_if(state_->walls, [&](const auto& each) {
    if (each->rows != &wall) return false;
    each->rows->serve_by({});
    each->rows = nullptr;
    return true;
  });
}

void hub::set_latest(const std::string& run_id) { state_->latest = run_id; }

void hub::withdraw(const std::string& run_id, const refusal& why) {
  const auto found = state_->runs.find(run_id);
  if (found == state_->runs.end()) return;
  const auto which = found->second;
  state_->runs.erase(found);
  which->rows->serve_by({});
  which->rows = nullptr;
  which->gone = why;
  ++which->version;
  which->due.splice(which->due.end(), which->waiting);
  state_->serve_later(which);
}

void hub::close_without_permit() { state_->close_without_permit(); }

admission hub::refuse(refusal why) {
  admission refused;
  refused.hub = state_;
  refused.greeting.push_back(feed::error(why.code, why.message));
  refused.refused = std::move(why);
  return refused;
}

admission hub::admit(std::string_view query, const std::optional<std::string>& last_event_id,
                     viewer who) {
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

  std::shared_ptr<offered_topic> which;
  if (asked.run.empty()) {
    const auto found =
        std::find_if(state_->walls.begin(), state_->walls.end(), [&](const auto& each) {
          // Who may not see every run has a wall of his own, or none.
          return who.wall == nullptr ? !who.run_id : each->rows == who.wall;
        });
    if (found == state_->walls.end())
      return refuse({close_codes::no_such_run, "this server has no wall; name a run with run="});
    which = *found;
  } else {
    const std::string id = who.run_id              ? who.run_id(asked.run)
                           : asked.run == "latest" ? state_->latest
                                                   : asked.run;
    const auto found = state_->runs.find(id);
    if (found == state_->runs.end()) {
      if (id.empty() && asked.run == "latest")
        return refuse({close_codes::no_such_run, "no run has begun yet"});
      return refuse({close_codes::no_such_run,
                     "no run " + (id.empty() ? asked.run : id) + "; /v1/runs lists them"});
    }
    which = found->second;
  }

  const auto& rows = *which->rows;
  admission admitted;
  admitted.hub = state_;
  admitted.end_close = asked.end_close;
  admitted.wanted = std::move(asked.wanted);
  admitted.permit = std::move(who.permit);
  admitted.greeting.push_back(
      feed::hello(state_->options.server, state_->options.build, rows.name(), rows.epoch(),
                  state_->options.heartbeat,
                  admitted.permit ? feed::admitted::by_login : feed::admitted::for_good,
                  state_->not_current.why));
  admitted.not_current = state_->not_current.version;
  if (asked.since_as == feed::since_given::unparsable) {
    admitted.greeting.push_back(feed::reset("since"));
    admitted.is_reset = true;
    ++state_->counts.resyncs["since"];
  } else if (asked.since_as == feed::since_given::parsed) {
    if (const auto reason = rows.reset_reason(asked.since)) {
      admitted.greeting.push_back(feed::reset(*reason));
      admitted.is_reset = true;
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

void hub::set_not_current(std::string why) {
  if (state_->not_current.why == why) return;
  state_->not_current.why = std::move(why);
  ++state_->not_current.version;
}

void hub::finish(goodbye last, std::function<void()> done) {
  state_->finish(std::move(last), std::move(done));
}

std::size_t hub::subscribers() const { return state_->count; }

std::chrono::microseconds hub::tick() const { return state_->tick(); }
const hub_options& hub::options() const { return state_->options; }
const hub_counts& hub::counts() const { return state_->counts; }

}  // namespace tofud::fanout
