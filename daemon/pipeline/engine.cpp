#include "daemon/pipeline/engine.hpp"

#include "daemon/correlator/errors.hpp"
#include "daemon/correlator/snapshot.hpp"
#include "daemon/correlator/state_archive.hpp"
#include "daemon/operations/doing.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/pipeline/errors.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tofud::pipeline {

correlator::run_attachments fold_attachments(const attachments::documents& known) {
  correlator::run_attachments facts;
  facts.plan = known.plan();
  facts.order = known.order();
  facts.config = known.config();
  facts.schemas = known.schemas();
  facts.hidden = known.hidden();
  return facts;
}

engine::engine(correlator::run_identity identity, part_reader parts)
    : parts_{std::move(parts)}, fold_{std::move(identity), *this} {}

engine::~engine() = default;

void engine::tell(correlator::row_sink& sink) {
  sinks_.push_back(&sink);
  for (correlator::run_state& run : fold_.runs()) sink.run_began(run);
}

// ---- bytes ------------------------------------------------------------------------------------

void engine::feed(std::string_view bytes) {
  const operations::doing folding{"folding a stream"};
  take_effect(offset_);
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, next_piece(bytes.size()));
    fold_piece(piece);
    bytes.remove_prefix(piece.size());
    take_effect(offset_);
  }
  tell_settled();
}

/// How many bytes follow before something takes effect, at most `most`.
std::size_t engine::next_piece(std::size_t most) const {
  std::uint64_t end = offset_ + most;
  if (!waiting_.empty()) end = std::min(end, waiting_.front().offset);
  if (offset_ < counted_from_) end = std::min(end, counted_from_);
  return static_cast<std::size_t>(end - offset_);
}

void engine::fold_piece(std::string_view bytes) {
  fold_.count_into(offset_ >= counted_from_ ? counts_ : nullptr);
  offset_ += bytes.size();
  if (!redactor_) return fold_.feed(bytes);
  redacted_.clear();
  redactor_->feed(bytes, redacted_);
  fold_.feed(redacted_);
}

/// What is left of an unfinished line.
void engine::flush_redactor() {
  if (!redactor_) return;
  redacted_.clear();
  redactor_->finish(redacted_);
  fold_.feed(redacted_);
}

void engine::count_into(correlator::message_counts& counts, std::uint64_t from) {
  counts_ = &counts;
  counted_from_ = from;
}

void engine::gap() {
  flush_redactor();
  fold_.gap();
}

void engine::skip(std::uint64_t bytes) {
  offset_ += bytes;
  take_effect(offset_);
}

void engine::end() { end_some(std::numeric_limits<std::size_t>::max()); }

bool engine::end_some(std::size_t most) {
  take_effect(std::numeric_limits<std::uint64_t>::max());
  const operations::doing folding{"folding the end of a stream"};
  flush_redactor();
  const bool all = fold_.end_some(most);
  tell_settled();
  return all;
}

// ---- events -----------------------------------------------------------------------------------

void engine::add(events::event said) { wait(said.offset, std::move(said.what)); }

void engine::attach_at(correlator::attachment_place place) {
  wait(place.offset, std::move(place.known));
}

void engine::wait(std::uint64_t offset, effect what) {
  const auto place = std::upper_bound(
      waiting_.begin(), waiting_.end(), offset,
      [](std::uint64_t at, const waiting_effect& each) { return at < each.offset; });
  waiting_.insert(place, {offset, std::move(what)});
  if (offset > offset_) return;
  take_effect(offset_);
  tell_settled();
}

void engine::take_effect(std::uint64_t upto) {
  struct taker {
    engine& self;
    void operator()(const events::body& said) const { std::visit(*this, said); }
    void operator()(const correlator::run_attachments& known) const {
      self.has_given_parts_ = true;
      self.attach(known);
    }
    void operator()(const events::exit_status& said) const { self.fold_.exit_status(said.status); }
    void operator()(const events::label& said) const {
      self.fold_.label(said.key, said.value);
      self.views_changed();
    }
    void operator()(const events::attachment& said) const { self.attach(said); }
    void operator()(const events::arrival& said) const {
      for (correlator::row_sink* sink : self.sinks_) sink->arrived(said.at);
    }
    void operator()(events::broken) const { self.fold_.broken_off(); }
    // Of the run's identity, of its group, or of nobody's rows.
    void operator()(const events::begin&) const {}
    void operator()(const events::plan_file&) const {}
    void operator()(const events::trace_parent&) const {}
    void operator()(events::end) const {}
    void operator()(events::other) const {}
  };
  while (!waiting_.empty() && waiting_.front().offset <= upto) {
    const effect what = std::move(waiting_.front().what);
    waiting_.pop_front();
    std::visit(taker{*this}, what);
  }
}

void engine::attach(const events::attachment& said) {
  if (!parts_) return;
  if (!attached_) attached_ = std::make_shared<attachments::documents>();
  if (!parts_(said, *attached_)) return;
  read_parts_.push_back({offset_, said});
  attach(fold_attachments(*attached_));
}

void engine::attach(const correlator::run_attachments& known) {
  fold_.attach(known);
  views_changed();
}

// ---- snapshots --------------------------------------------------------------------------------

std::optional<std::string> engine::snapshot() const {
  if (redactor_ || has_given_parts_ || fold_.is_ending()) return std::nullopt;
  std::string made;
  correlator::state_writer to{made};
  to.put(offset_);
  to.put(read_parts_.size());
  for (const events::event& each : read_parts_) to.put(events::text_of(each));
  to.put(correlator::snapshot_of(fold_, operations::build_id));
  return made;
}

text::failure engine::restore(std::string_view snapshot) {
  assert(sinks_.empty() && offset_ == 0);
  // Texts are looked at where they stand.
  correlator::state_reader from{snapshot, [](std::string_view text) { return text; }};
  std::uint64_t offset = 0;
  std::size_t parts = 0;
  from.get(offset);
  from.get(parts);
  std::vector<correlator::run_attachments> attached;
  for (; parts > 0 && !from.failed(); --parts) {
    std::string json;
    from.get(json);
    const auto said = events::parse(json);
    const auto* part = said ? std::get_if<events::attachment>(&said->what) : nullptr;
    if (part == nullptr) return correlator::error::torn_snapshot;
    if (!attached_) attached_ = std::make_shared<attachments::documents>();
    if (!parts_ || !parts_(*part, *attached_))
      return {error::part_of_snapshot_gone, feed::name(part->part)};
    read_parts_.push_back(*said);
    attached.push_back(fold_attachments(*attached_));
  }
  std::string_view fold;
  from.get(fold);
  if (from.failed() || !from.at_end()) return correlator::error::torn_snapshot;
  auto wrong = correlator::restore(fold_, fold, operations::build_id, attached);
  if (wrong.empty()) offset_ = offset;
  return wrong;
}

// ---- circumstances ----------------------------------------------------------------------------

void engine::note(std::string_view level, std::string_view text) {
  fold_.note(level, text);
  tell_settled();
}

void engine::silent() {
  correlator::run_state& newest = fold_.runs().back();
  if (!newest.show_approval()) return;
  for (correlator::row_sink* sink : sinks_) sink->view_changed(newest);
  tell_settled();
}

void engine::views_changed() {
  for (correlator::run_state& run : fold_.runs()) {
    for (correlator::row_sink* sink : sinks_) sink->view_changed(run);
  }
}

void engine::tell_settled() {
  for (correlator::row_sink* sink : sinks_) sink->settled();
}

// ---- what the fold tells ----------------------------------------------------------------------

void engine::run_began(correlator::run_state& run) {
  for (correlator::row_sink* sink : sinks_) sink->run_began(run);
}

void engine::line(correlator::run_state& run, const feed::line_change& line) {
  for (correlator::row_sink* sink : sinks_) sink->line(run, line);
}

void engine::changed(correlator::run_state& run, feed::row_change change) {
  for (correlator::row_sink* sink : sinks_) sink->changed(run, change);
}

void engine::state_dump(correlator::run_state& run, std::string_view line) {
  for (correlator::row_sink* sink : sinks_) sink->state_dump(run, line);
}

void engine::summary_came(correlator::run_state& run) {
  for (correlator::row_sink* sink : sinks_) sink->summary_came(run);
}

void engine::run_ended(correlator::run_state& run) {
  for (correlator::row_sink* sink : sinks_) sink->run_ended(run);
}

}  // namespace tofud::pipeline
