// One run: messages in, changed rows out. Pure: no clock, no I/O.
#pragma once

#include "daemon/correlator/run_values.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::correlator {

/// Whether another run follows in the same stream.
enum class followed : bool { no, yes };

/// What a run is once it is over, and how far it is on the way. Of this folder alone.
struct run_ending {
  feed::run_status status{};
  run_facts facts;
  run_causes::places with_other_causes;  // than were told; in order
  std::size_t others = 0;                // how many of those are settled
  std::size_t place = 0;                 // of the next resource; npos of a bitset: none is left
};

class run_state {
 public:
  using resource_list = run_rows::resource_list;

  /// `sink` outlives the run.
  run_state(run_identity identity, row_sink& sink);
  run_state(const run_state&) = delete;
  run_state& operator=(const run_state&) = delete;

  void apply(const ui::envelope& head, const ui::message& message);
  void apply_text(std::string_view line);
  /// A row about the stream itself, such as "stream ends in mid-line".
  void note(std::string_view level, std::string_view text);
  void count_malformed() { ++values_.totals.malformed; }
  void mark_interleaved();
  void mark_unsupported(std::string_view ui);
  void set_exit_status(int status) { values_.course.exit_status = status; }
  void set_labels(std::vector<feed::label> labels) { values_.identity.labels = std::move(labels); }
  void mark_broken_off() { values_.course.broken_off = true; }
  /// Lines are lost here.
  void mark_gap();
  /// From here on; what was attached before is attached still.
  void attach(const run_attachments& known);

  bool may_wait_for_approval() const { return values_.course.may_wait_for_approval(); }
  /// How long that is so depends on a clock, which is the caller's: from now on the view says it,
  /// until the next line. True if it did not say so before.
  bool show_approval();

  /// No more lines will come: closes what is open and settles every status.
  void end(followed next);
  /// The same, of so many resources at a time: false until all are settled. It is over then.
  bool end_some(followed next, std::size_t most);
  bool over() const { return values_.course.facts.over; }

  const std::string& id() const { return values_.identity.id; }
  /// See feed::run_path.
  std::string path() const;
  const run_identity& identity() const { return values_.identity; }
  /// Of what comes from now on.
  void show(text_policy shows) { values_.identity.shows = shows; }
  bool had_message() const { return values_.totals.messages > 0; }
  bool unsupported() const { return values_.course.unsupported; }
  bool interleaved() const { return values_.course.interleaved; }
  /// It has as many rows as there may be, and gets no more.
  bool is_full() const { return values_.rows.full; }
  /// A create, update or delete step is open.
  bool has_open_change() const { return values_.totals.open_changes > 0; }
  feed::run_status status() const { return values_.course.status; }
  /// A step of an apply phase, other than refreshes and ephemeral ones, or an apply or destroy
  /// summary has come.
  bool apply_ran() const { return values_.course.facts.apply_ran; }
  feed::sequence head() const { return values_.rows.seq; }
  feed::run_view view() const;
  /// Parts of the view, for who asks at each line.
  feed::run_command command() const;
  feed::run_view::progress_of_run progress() const {
    return {values_.totals.progress_done, values_.totals.progress_total};
  }
  std::optional<ui::time_point> last_line_at() const { return values_.course.last_line_at; }
  /// When the first step of its apply phase began, and when the last one ended, of those of which
  /// both is known; nothing: there is none.
  std::optional<ui::time_point> applied_from() const { return values_.totals.applied_from; }
  std::optional<ui::time_point> applied_to() const { return values_.totals.applied_to; }

  /// All but the identity and what is attached (snapshot.hpp).
  void save(state_writer& to) const;
  /// Into a run that nothing was applied to. `attached`: in the order in which it was.
  void load(state_reader& from, std::span<const run_attachments> attached);

  std::size_t rows() const { return values_.rows.entries.size(); }
  feed::sequence seq(feed::row_number row) const { return values_.rows.entries[row].seq; }
  feed::row_kind kind(feed::row_number row) const { return values_.rows.entries[row].kind; }
  feed::row_facts facts(feed::row_number row) const { return values_.rows.facts(row); }
  void encode(std::string& out, feed::row_number row, feed::sequence seq, feed::cut limit) const;
  /// Bytes of the row's texts that were cut when they were taken in.
  std::size_t bytes_cut(feed::row_number row) const { return values_.rows.bytes_cut(row); }
  /// About how many bytes of memory all rows take.
  std::size_t memory() const { return values_.rows.memory() + values_.causes.memory(); }
  const run_causes& causes() const { return values_.causes; }
  /// How its program orders an apply.
  order::waiting_by waits() const { return waits_by(values_.programs); }
  /// Operations that began before what the order puts before them.
  std::size_t contradictions() const { return values_.causes.contradictions(); }
  /// The row of that kind and key, if any.
  std::optional<feed::row_number> find(feed::row_kind kind, std::string_view key) const {
    return values_.rows.find(kind, key);
  }

  const feed::resource_row* resource(feed::row_number row) const;
  /// What the attached configuration says of an address. Views, valid as long as the run.
  feed::annotations annotated(std::string_view address) const;
  /// Whom the rows name.
  const named_in_rows& names() const { return values_.attached.named; }
  /// Resources whose objects were changed outside of OpenTofu.
  std::uint64_t drifted() const { return values_.totals.drifted; }
  /// The provider of a resource as its configuration has chosen it; null: unknown. Valid as long
  /// as the run.
  const config::locked_provider* provider_of(const feed::resource_row& row) const;
  const feed::diagnostic_row* diagnostic(feed::row_number row) const;
  const feed::message_row* message(feed::row_number row) const;
  const feed::test_file_row* test_file(feed::row_number row) const;
  const feed::test_run_row* test_run(feed::row_number row) const;
  const resource_list& resources() const { return values_.rows.resources; }
  std::size_t diagnostics() const { return values_.rows.diagnostics.size(); }
  const feed::diagnostic_row& diagnostic_at(std::size_t i) const {
    return values_.rows.diagnostics[i].row;
  }
  std::vector<std::string_view> output_names() const;
  std::size_t outputs() const { return values_.rows.outputs.size(); }
  const feed::output_row& output_at(std::size_t i) const { return values_.rows.outputs[i].row; }
  std::size_t test_files() const { return values_.rows.test_files.size(); }
  const feed::test_file_row& test_file_at(std::size_t i) const {
    return values_.rows.test_files[i].row;
  }
  std::size_t test_runs() const { return values_.rows.test_runs.size(); }
  const feed::test_run_row& test_run_at(std::size_t i) const {
    return values_.rows.test_runs[i].row;
  }

 private:
  std::optional<feed::run_view::first_failure> first_failure() const;
  void begin_end(followed next);
  void end(resource_state& resource);

  run_values values_;
  std::optional<run_ending> ending_;
};

}  // namespace tofud::correlator
