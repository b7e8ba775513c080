// One stream: bytes and events in, rows out. `rows = fold(bytes + events)` for everybody: a live
// run, one that is played, followed, searched, exported or read from a journal.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/correlator/message_counts.hpp"
#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "protocol/events/event.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::pipeline {

/// Puts an attached part into `known`. False: it can't be read, which was said where people look.
using part_reader =
    std::function<bool(const events::attachment& part, attachments::documents& known)>;

/// Takes bytes in any pieces and events in any order, lets each event take effect at its place in
/// the stream, and tells its sinks what became of that. Passive: its source feeds it.
class engine : private correlator::row_sink {
 public:
  /// `parts` empty: what is attached does not matter.
  explicit engine(correlator::run_identity identity, part_reader parts = {});
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  ~engine() override;

  /// From now on, and of the runs there are already. Sinks are told in the order of their coming,
  /// and outlive the engine's last change.
  void tell(correlator::row_sink& sink);
  /// What is fed becomes what may leave this machine before it is folded: one line becomes one
  /// line, so the rows are the same but for what is masked in them. Before anything is fed.
  void redact_by(const redact::rules& rules) { redactor_.emplace(rules); }

  void feed(std::string_view bytes);
  /// Takes effect once so many bytes were fed; now, if they were. What stands beyond the end of the
  /// stream takes effect at its end.
  void add(events::event said);
  /// The same of what is attached, where it was read before (stream_fold::attached).
  void attach_at(correlator::attachment_place place);
  /// The stream is over.
  void end();
  /// The same, of so many resources at a time: false until all are settled.
  bool end_some(std::size_t most);

  /// Bytes fed.
  std::uint64_t offset() const { return offset_; }
  const correlator::stream_fold& fold() const { return fold_; }
  /// About how many bytes of memory all that is known of the stream takes.
  std::size_t memory() const {
    return fold_.memory() + redacted_.capacity() + (attached_ ? attached_->memory() : 0);
  }
  correlator::stream_fold& fold() { return fold_; }
  /// As far as the stream was fed; null: nothing is attached.
  const std::shared_ptr<attachments::documents>& attached() const { return attached_; }

  /// All that is known at `offset()`, for an engine that goes on from there: fed the same bytes
  /// from here on and told the same events from here on, it has the same rows with the same
  /// numbers. What is attached is read again, by its part_reader. Nothing: the stream is redacted
  /// here, or something was attached that no part_reader reads.
  std::optional<std::string> snapshot() const;
  /// Of the same run, before anything is fed and anybody is told: sinks that come then are told of
  /// runs that have rows already. Errors: pipeline::error, correlator::error; then it is of no use.
  text::failure restore(std::string_view snapshot);

  // ---- what nobody finds in bytes and events: the circumstances of a live stream ------------

  void note(std::string_view level, std::string_view text);
  /// Bytes were lost before what is fed next.
  void gap();
  /// So many bytes can't be had: what is fed next stands behind them.
  void skip(std::uint64_t bytes);
  /// Nothing came for a while (limits::approval_shown_after): a run that may wait for approval says
  /// so.
  void silent();
  /// See stream_fold::show.
  void show(correlator::text_policy shows) { fold_.show(shows); }
  /// Counts the messages of the bytes from `from` on there; see stream_fold::count_into.
  void count_into(correlator::message_counts& counts, std::uint64_t from);

 private:
  using effect = std::variant<events::body, correlator::run_attachments>;
  struct waiting_effect {
    std::uint64_t offset = 0;
    effect what;
  };

  void run_began(correlator::run_state& run) override;
  void line(correlator::run_state& run, const feed::line_change& line) override;
  void changed(correlator::run_state& run, feed::row_change change) override;
  void state_dump(correlator::run_state& run, std::string_view line) override;
  void summary_came(correlator::run_state& run) override;
  void run_ended(correlator::run_state& run) override;

  void wait(std::uint64_t offset, effect what);
  void take_effect(std::uint64_t upto);
  void attach(const events::attachment& said);
  void attach(const correlator::run_attachments& known);
  std::size_t next_piece(std::size_t most) const;
  void fold_piece(std::string_view bytes);
  void flush_redactor();
  void views_changed();
  void tell_settled();

  std::vector<correlator::row_sink*> sinks_;
  part_reader parts_;
  std::shared_ptr<attachments::documents> attached_;
  std::optional<redact::stream_redactor> redactor_;  // nothing: the bytes are folded as they are
  std::string redacted_;
  std::uint64_t offset_ = 0;
  std::deque<waiting_effect> waiting_;     // by offset
  std::vector<events::event> read_parts_;  // in the order in which they took effect
  bool has_given_parts_ = false;           // of attach_at
  correlator::message_counts* counts_ = nullptr;
  std::uint64_t counted_from_ = std::numeric_limits<std::uint64_t>::max();
  correlator::stream_fold fold_;
};

/// What the rows take from documents, as they are now.
correlator::run_attachments fold_attachments(const attachments::documents& known);

}  // namespace tofud::pipeline
