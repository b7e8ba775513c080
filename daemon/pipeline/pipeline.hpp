// The steps joined on one screen: bytes → fold → topics and terminal.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "daemon/fanout/topic.hpp"
#include "daemon/pipeline/limits.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::terminal {
class stdout_view;
}

namespace tofud {

/// What the rows take from documents, as they are now.
correlator::run_attachments facts_of(const attachments::documents& known);

/// One stream on its way to everybody who watches. Told of bytes, it tells its listeners which
/// runs have something new, and the view what there is to print.
class pipeline : private correlator::observer {
 public:
  struct run {
    correlator::run_state& state;
    const pipeline& of;
    fanout::topic topic;
    bool changed = false;
    /// What the fold says, and what only its surroundings know.
    feed::run_view view() const;
  };
  struct listeners {
    std::function<void(run&)> run_began;
    std::function<void(run&)> run_changed;  // once for all that changed since the last time
    std::function<void(std::string_view line)> state_dump;
    terminal::stdout_view* view = nullptr;  // outlives the pipeline; null: nobody reads
    /// Adds to a run's view what is no fold: clocks, contact.
    std::function<void(feed::run_view&)> overlay{};
  };

  pipeline(correlator::run_identity identity, listeners told, fanout::topic_limits limits = {});
  ~pipeline() override;

  /// What is fed becomes what may leave this machine before it is folded: one line becomes one
  /// line, so the rows are the same but for what is masked in them. Before anything is fed.
  void redact_by(const redact::rules& rules) { redactor_.emplace(rules); }
  void feed(std::string_view bytes);
  void note(std::string_view level, std::string_view text);
  /// Nothing came for a while (limits::approval_shown_after): a run that may wait for approval says
  /// so.
  void silent();
  /// Bytes were lost before what is fed next.
  void gap();
  void exit_status(int status);
  void label(std::string_view key, std::string_view value);
  /// The sender is gone and won't come back: the end of the stream is not the end of the run.
  void broken_off();
  /// From here on: what `known` has now.
  void attach(std::shared_ptr<const attachments::documents> known);
  /// Null: nothing is attached.
  const std::shared_ptr<const attachments::documents>& attached() const { return attached_; }
  /// See stream_fold::show.
  void show(correlator::text_policy shows) { fold_->show(shows); }
  /// What is no fold has changed.
  void surroundings_changed();
  /// See stream_fold::count_into.
  void count_into(correlator::message_counts* counts) { fold_->count_into(counts); }
  /// The stream is over; with the summaries for people.
  void end();

  const correlator::stream_fold& fold() const { return *fold_; }
  std::deque<run>& runs() { return runs_; }

 private:
  void run_began(correlator::run_state& state) override;
  void line(correlator::run_state& state, const feed::line_change& line) override;
  void changed(correlator::run_state& state, feed::row_change change) override;
  void state_dump(correlator::run_state& state, std::string_view line) override;
  void summary_came(correlator::run_state& state) override;
  void run_ended(correlator::run_state& state) override;

  run& of(const correlator::run_state& state);
  /// Tells the listeners what changed since the last time.
  void publish();
  void flush_redactor();

  listeners told_;
  fanout::topic_limits limits_;
  std::shared_ptr<const attachments::documents> attached_;
  std::optional<redact::stream_redactor> redactor_;  // nothing: the bytes are folded as they are
  std::string redacted_;
  std::deque<run> runs_;
  std::unique_ptr<correlator::stream_fold> fold_;
};

}  // namespace tofud
