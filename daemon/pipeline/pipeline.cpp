#include "daemon/pipeline/pipeline.hpp"

#include "daemon/terminal/stdout_view.hpp"
#include "protocol/feed/encode.hpp"

namespace tofud {

correlator::run_attachments facts_of(const attachments::documents& known) {
  correlator::run_attachments facts;
  facts.plan = known.plan();
  facts.config = known.config();
  facts.schemas = known.schemas();
  facts.hidden = known.hidden();
  return facts;
}

pipeline::pipeline(correlator::run_identity identity, listeners told, fanout::topic_limits limits)
    : told_{std::move(told)}, limits_{std::move(limits)} {
  correlator::observer& watcher = *this;
  fold_ = std::make_unique<correlator::stream_fold>(std::move(identity), watcher);
}

pipeline::~pipeline() = default;

feed::run_view pipeline::run::view() const {
  feed::run_view view = state.view();
  if (of.told_.overlay) of.told_.overlay(view);
  return view;
}

void pipeline::feed(std::string_view bytes) {
  if (redactor_) {
    redacted_.clear();
    redactor_->feed(bytes, redacted_);
    bytes = redacted_;
  }
  fold_->feed(bytes);
  publish();
}

/// What is left of an unfinished line.
void pipeline::flush_redactor() {
  if (!redactor_) return;
  redacted_.clear();
  redactor_->finish(redacted_);
  fold_->feed(redacted_);
}

void pipeline::note(std::string_view level, std::string_view text) {
  fold_->note(level, text);
  publish();
}

void pipeline::silent() {
  if (runs_.empty() || !runs_.back().state.show_approval()) return;
  runs_.back().changed = true;
  publish();
}

void pipeline::gap() {
  flush_redactor();
  fold_->gap();
}

void pipeline::exit_status(int status) { fold_->exit_status(status); }

void pipeline::label(std::string_view key, std::string_view value) {
  fold_->label(key, value);
  surroundings_changed();
}

void pipeline::attach(std::shared_ptr<const attachments::documents> known) {
  attached_ = std::move(known);
  fold_->attach(facts_of(*attached_));
  surroundings_changed();
}

void pipeline::broken_off() { fold_->broken_off(); }

void pipeline::surroundings_changed() {
  for (run& each : runs_) each.changed = true;
  publish();
}

void pipeline::end() {
  flush_redactor();
  fold_->end();
  publish();
}

pipeline::run& pipeline::of(const correlator::run_state& state) {
  // Nearly always the last one.
  for (auto each = runs_.rbegin(); each != runs_.rend(); ++each) {
    if (&each->state == &state) return *each;
  }
  return runs_.back();
}

void pipeline::run_began(correlator::run_state& state) {
  feed::row_source source;
  source.encode = [&state](std::string& out, feed::row_number row, feed::sequence seq) {
    state.encode(out, row, seq, feed::cut::at_limit);
  };
  source.facts = [&state](feed::row_number row) { return state.facts(row); };
  source.view = [this, &state](std::string& out) { feed::encode(out, of(state).view(), 0); };
  run& added = runs_.emplace_back(
      run{state, *this,
          fanout::topic{"run/" + state.id(), state.path(), correlator::epoch_of(state.id()),
                        std::move(source), limits_}});
  added.changed = true;
  if (told_.run_began) told_.run_began(added);
  if (told_.view != nullptr) told_.view->run_began(state);
}

void pipeline::line(correlator::run_state& state, const feed::line_change& line) {
  of(state).topic.append(line);
  if (told_.view == nullptr) return;
  if (line.kind == feed::row_kind::log) {
    told_.view->log(line.subject, line.text);
  } else {
    told_.view->text(state, line.text);
  }
}

void pipeline::changed(correlator::run_state& state, feed::row_change change) {
  of(state).topic.change(change);
  if (told_.view != nullptr) told_.view->changed(state, change.row);
}

void pipeline::state_dump(correlator::run_state&, std::string_view line) {
  if (told_.state_dump) told_.state_dump(line);
}

void pipeline::summary_came(correlator::run_state& state) {
  if (told_.view != nullptr) told_.view->summary_came(state);
}

void pipeline::run_ended(correlator::run_state& state) {
  run& ended = of(state);
  ended.topic.end();
  ended.changed = true;
  if (told_.view != nullptr) told_.view->run_ended(state);
}

void pipeline::publish() {
  for (run& each : runs_) {
    if (each.state.over() && !each.changed) continue;
    each.changed = false;
    each.topic.view_changed();
    if (told_.run_changed) told_.run_changed(each);
  }
}

}  // namespace tofud
