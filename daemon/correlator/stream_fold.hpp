// One stream: bytes in, runs out. A stream may hold several runs, one after another.
#pragma once

#include "daemon/correlator/message_counts.hpp"
#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/run_state.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/ui/line_splitter.hpp"
#include "protocol/ui/parse_message.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::correlator {

/// Grows with every change of the fold's rules: positions of another version mean other rows.
inline constexpr int fold_version = 6;

/// From which byte of the stream on something is attached.
struct attachment_place {
  std::uint64_t offset = 0;
  run_attachments known;
};

/// Folds a stream, whatever the pieces it comes in, into runs: `rows = fold(bytes + events)`. The
/// same bytes and events give the same rows and the same sequence numbers. Remembers the runs;
/// passive.
class stream_fold {
 public:
  /// The first run exists from the start. `watcher` outlives the fold. Run n ≥ 2 is named ID.n.
  stream_fold(run_identity identity, row_sink& watcher, std::size_t max_line = limits::line_bytes);

  void feed(std::string_view bytes);

  /// A row about the stream itself.
  void note(std::string_view level, std::string_view text);
  /// Bytes were lost before what is fed next: the unfinished line is dropped.
  void gap();
  /// A label that was given while the run was on; of all runs of the stream. The newest of a key
  /// wins.
  void label(std::string_view key, std::string_view value);
  /// From here on, of the present run and of those that follow it in the stream.
  void attach(const run_attachments& known);
  /// What was attached so far, for who folds the stream again.
  const std::vector<attachment_place>& attached() const { return places_; }
  /// The sender left in the middle: a run whose end is not in the stream is lost; told before
  /// `end`.
  void broken_off();
  /// The status with which the program ended, if anybody knows; told before `end`.
  void exit_status(int status);
  /// The stream is over: what came after the last newline is judged, the last run ends.
  void end();
  /// The same, of so many resources at a time: false until all are settled.
  bool end_some(std::size_t most);
  /// Some are settled, not all: what is known of the stream is of no place in it.
  bool is_ending() const { return torn_ && !runs_.back().over(); }

  /// Of what is fed from now on. Sequence numbers don't depend on it.
  void show(text_policy shows);

  /// Counts what is read from now on there; null: nowhere. It lives as long as it is counted into.
  void count_into(message_counts* counts) { counts_ = counts; }

  /// See snapshot.hpp.
  void save(state_writer& to) const;
  void load(state_reader& from, std::span<const run_attachments> attached);

  /// Bytes fed so far.
  std::uint64_t offset() const { return offset_; }
  /// About how many bytes of memory the rows of all runs take, and the line that has not ended.
  std::size_t memory() const;
  const std::deque<run_state>& runs() const { return runs_; }
  std::deque<run_state>& runs() { return runs_; }
  /// What the pipe exits with: 0 if every run succeeded, 3 if one has an unsupported UI, else 1.
  int inferred_exit_status() const;

 private:
  void line(std::string_view line);
  void message(std::string_view line, const ui::parsed_line& parsed);
  void too_long(std::uint64_t size);
  void begin_run();
  /// What came after the last newline; how many bytes of it are a message that was cut off.
  std::size_t take_rest();
  run_state& current() { return runs_.back(); }

  run_identity identity_;
  run_attachments attached_;
  std::vector<attachment_place> places_;
  /// Of each run: how many places there were when it began, and when the next one did.
  struct places_of_run {
    std::size_t before = 0, upto = 0;
  };
  std::vector<places_of_run> places_of_runs_;
  row_sink& watcher_;
  std::size_t max_line_;
  ui::line_splitter splitter_;
  ui::message_parser parser_;
  std::deque<run_state> runs_;
  std::uint64_t offset_ = 0;
  std::optional<std::size_t> torn_;  // bytes at its end, once they were judged
  std::size_t full_run_ = 0;         // the newest run that was full, counted from 1
  message_counts* counts_ = nullptr;
};

/// What positions of a run are called: the same on every machine, after every restart.
std::string epoch_of(std::string_view run_id);

}  // namespace tofud::correlator
