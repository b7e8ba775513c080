#include "daemon/pipeline/run_topics.hpp"

#include "protocol/feed/encode.hpp"

#include <utility>

namespace tofud::pipeline {

feed::run_view run::view() const {
  feed::run_view view = state.view();
  if (in.told_.overlay) in.told_.overlay(view);
  return view;
}

const engine& run::stream() const { return in.stream(); }

run_topics::run_topics(engine& of, listeners told, fanout::topic_limits limits, kept_lines lines)
    : stream_{of}, told_{std::move(told)}, limits_{std::move(limits)}, lines_{std::move(lines)} {
  of.tell(*this);
}

run_topics::~run_topics() = default;

run& run_topics::of(const correlator::run_state& state) {
  // Nearly always the last one.
  for (auto each = runs_.rbegin(); each != runs_.rend(); ++each) {
    if (&each->state == &state) return *each;
  }
  return runs_.back();
}

void run_topics::run_began(correlator::run_state& state) {
  feed::row_source source;
  source.encode = [&state](std::string& out, feed::row_number row, feed::sequence seq) {
    state.encode(out, row, seq, feed::cut::at_limit);
  };
  source.facts = [&state](feed::row_number row) { return state.facts(row); };
  source.view = [this, &state](std::string& out) { feed::encode(out, of(state).view(), 0); };
  source.forecast = [this, &state](std::string& out, feed::row_number forecast) {
    forecaster_->encode(out, state, forecast);
  };
  source.forecast_facts = [this, &state](feed::row_number forecast) {
    return forecaster_->facts(state, forecast);
  };
  run& added = runs_.emplace_back(
      run{state, *this,
          fanout::topic{"run/" + state.id(), state.path(), correlator::epoch_of(state.id()),
                        std::move(source), limits_}});
  added.changed = true;
  if (state.head() > 0) take_over(added);
  if (told_.began) told_.began(added);
}

/// What it was before anybody was told of it.
void run_topics::take_over(run& added) {
  std::vector<feed::sequence> rows(added.state.rows());
  for (feed::row_number row = 0; row < rows.size(); ++row) rows[row] = added.state.seq(row);
  fanout::line_store::stored lines;
  if (!lines_.empty()) {
    lines = std::move(lines_.front());
    lines_.pop_front();
  } else if (const auto counted = added.state.view().lines; counted.log + counted.text > 0) {
    lines.dropped = added.state.head();
  }
  added.topic.begin_with(rows, added.state.head(), std::move(lines));
  if (added.state.over()) added.topic.end();
}

void run_topics::line(correlator::run_state& state, const feed::line_change& line) {
  of(state).topic.append(line);
}

void run_topics::changed(correlator::run_state& state, feed::row_change change) {
  of(state).topic.change(change);
}

void run_topics::view_changed(correlator::run_state& state) { of(state).changed = true; }

void run_topics::run_ended(correlator::run_state& state) {
  run& ended = of(state);
  ended.topic.end();
  ended.changed = true;
}

void run_topics::arrived(ui::time_point at) {
  if (told_.arrived) told_.arrived(at);
}

void run_topics::surroundings_changed() {
  for (run& each : runs_) each.changed = true;
  settled();
}

void run_topics::forecasts_changed(const correlator::run_state& state,
                                   std::span<const feed::row_number> forecasts) {
  run& changed = of(state);
  for (const feed::row_number each : forecasts) changed.topic.forecast_changed(each);
  if (!forecasts.empty()) changed.topic.publish();
}

void run_topics::settled() {
  for (run& each : runs_) {
    if (each.state.over() && !each.changed) continue;
    each.changed = false;
    each.topic.view_changed();
    each.topic.publish(came_at_);
    if (told_.changed) told_.changed(each);
  }
}

}  // namespace tofud::pipeline
