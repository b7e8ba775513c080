// The rows of the feed `tofud.v1` as values: what a subscriber holds of a run.
// Field names and their JSON are in README.md beside this file; encode.hpp writes them.
#pragma once

#include "protocol/feed/resource_names.hpp"
#include "protocol/text/rare.hpp"
#include "protocol/ui/timestamp.hpp"

#include <boost/container/options.hpp>
#include <boost/container/small_vector.hpp>
#include <boost/container/vector.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::feed {

/// Number of a change within a run, from 1; within the wall it numbers the wall's changes.
using sequence = std::uint64_t;

/// Ordinal of a row among all rows of its run, in order of first appearance, from 0. Dense.
using row_number = std::uint32_t;

/// What a line of the feed is about. `run` and `forecast` are views: they carry no sequence number
/// in the topic of a run. `stack` is of the wall alone (stack_row.hpp).
enum class row_kind : std::uint8_t {
  run,
  forecast,
  stack,
  resource,
  diagnostic,
  output,
  message,
  test_file,
  test_run,
  log,
  text
};
inline constexpr std::size_t row_kinds = 11;

/// The wire's word for a kind, such as "test_file".
std::string_view name(row_kind kind);
std::optional<row_kind> parse_row_kind(std::string_view word);

enum class step_action : std::uint8_t { refresh, read, create, update, remove, open, renew, close };
enum class step_status : std::uint8_t { running, done, failed, interrupted };
/// `approval` is of views only: a step is of one of the others.
enum class run_phase : std::uint8_t { plan, apply, approval };
enum class resource_status : std::uint8_t {
  planned,
  running,
  done,
  failed,
  interrupted,
  skipped,
  drifted,
  unchanged
};
inline constexpr std::size_t resource_statuses = 8;
/// `unknown`: nothing that came tells what it was, let alone how it ended.
enum class run_status : std::uint8_t { running, succeeded, failed, interrupted, lost, unknown };
/// `other`: one that has no word of its own, or nobody knows which.
enum class run_command : std::uint8_t { other, plan, apply, destroy, refresh, test, init, import };
inline constexpr std::size_t run_phases = 3, run_statuses = 6, run_commands = 8;
/// Whether its result says nothing of a stack: it plans and applies nothing, and tests nothing.
constexpr bool stands_aside(run_command command) {
  using enum run_command;
  return command == other || command == init || command == import;
}

std::string_view name(step_action action);  // `remove` is written "delete"
std::string_view name(step_status status);
std::string_view name(run_phase phase);
std::string_view name(resource_status status);
std::string_view name(run_status status);
std::string_view name(run_command command);
std::optional<run_command> parse_run_command(std::string_view word);
std::optional<run_status> parse_run_status(std::string_view word);

/// A vector of few: of the rows of a run there may be a million.
template <typename Value>
using few = boost::container::vector<
    Value, void, boost::container::vector_options_t<boost::container::stored_size<std::uint32_t>>>;

/// One provisioner of a step, numbered from 1 in order of its start.
struct provisioner {
  std::string_view name;  // local-exec, remote-exec, file
  step_status status = step_status::running;
  bool inferred = false;
  std::uint32_t lines = 0;  // lines of output so far
  ui::optional_time started_at, ended_at;
  bool operator==(const provisioner&) const = default;
};

/// One hook instance of a resource: opened by a `*_start`, closed by the matching end.
// NOLINTNEXTLINE(bugprone-exception-escape): what a small_vector holds inline is moved to be inline
struct step {
  std::uint32_t number = 0;  // from 1 within the resource
  run_phase phase = run_phase::plan;
  step_action action = step_action::refresh;
  step_status status = step_status::running;
  bool inferred = false;          // the stream did not say so itself
  std::uint32_t loose_lines = 0;  // provisioner lines that came with no provisioner open
  std::uint32_t declared = 0;  // provisioners that its configuration has for it; 0: none, unknown
  ui::optional_time started_at, ended_at;
  std::string_view id_key, id_value;  // empty: not printed
  few<provisioner> provisioners;
  bool operator==(const step&) const = default;
};

/// What only some planned changes say. What stands below `previous_addr` is told by an attached
/// plan alone, create-before-destroy by a configuration as well.
struct planned_details {
  std::string_view reason, previous_addr;  // empty when absent
  std::string_view deposed = {};  // key of the deposed object; empty: it is about the current one
  bool imports = false;           // beside what else is done
  bool create_before_destroy = false;  // of a replace
  bool operator==(const planned_details&) const = default;
};

/// One `planned_change` of an address. `action` is the stream's word, known or not.
struct planned {
  std::string_view action;
  text::rare<planned_details> says = {};
  bool operator==(const planned&) const = default;
};

/// An instance key as JSON text: `null`, a number or a quoted string.
using json_text = std::string;

/// What people wrote of a block into its configuration, for who looks at it later.
struct annotations {
  std::string_view owner, runbook;             // empty: not said
  std::optional<std::chrono::seconds> expect;  // how long what is done to it takes

  bool operator==(const annotations&) const = default;
};

/// Where a resource is declared, and what stands there.
struct block_source {
  std::string_view file;  // empty: unknown
  std::uint32_t line = 0;
  feed::annotations said;  // of that block, or of a module call around it

  bool operator==(const block_source&) const = default;
};

/// Addresses in order of first appearance; of a block with more than five operations
/// "aws_x.main[*]". `more`: how many are not named; where none is, about how many there are.
struct named_operations {
  std::vector<std::string> names;
  std::uint64_t more = 0;
  bool operator==(const named_operations&) const = default;
};

/// Why a resource has not begun, or did not. Null: not known, or nothing. What stands behind the
/// pointers is that of all rows that wait for the same.
struct causes {
  /// Unfinished operations; empty: it waits for a slot alone.
  const named_operations* waiting_for = nullptr;
  const named_operations* behind = nullptr;  // the failed ones before it
  std::optional<std::uint64_t> strands;      // of a failed one: how many rows are behind it
};

/// Nearly every line makes or changes one of these, so its text (and that of its steps and plan) is
/// views: whoever makes the row keeps the characters as long as the row. A run may have a million
/// of them, so what few have takes little room where it is not.
// NOLINTNEXTLINE(bugprone-exception-escape): what a small_vector holds inline is moved to be inline
struct resource_row {
  std::string_view addr;
  resource_names names;
  std::uint32_t first = 0;    // which of the run's resources it was to appear, from 1
  std::uint16_t id_step = 0;  // number of the step whose id it has; 0: it has none
  resource_status status = resource_status::unchanged;
  bool inferred = false;
  boost::container::small_vector<planned, 1> plan;
  std::string_view drift;  // action of a `resource_drift`; empty: none
  boost::container::small_vector<step, 1> steps;
  few<std::uint32_t> diagnostics;        // ordinals, ascending
  text::rare<block_source> source;       // of the block it was made of
  const feed::causes* causes = nullptr;  // null: nothing is known; as long as the run

  address_parts parts() const { return names.parts(addr); }
  std::string_view mode() const { return parts().mode; }
  std::string_view type() const { return parts().type; }
  std::string_view provider() const { return parts().provider; }
  /// Empty: none is known.
  std::string_view id_key() const { return id_step == 0 ? "" : steps[id_step - 1].id_key; }
  std::string_view id_value() const { return id_step == 0 ? "" : steps[id_step - 1].id_value; }
};

/// What is known of a run besides its stream.
enum class attachment : std::uint8_t { plan, schemas, config };
inline constexpr std::size_t attachments = 3;
std::string_view name(attachment part);
std::optional<attachment> parse_attachment(std::string_view word);

struct source_position {
  std::int64_t line = 0, column = 0, byte = 0;
};

struct source_range {
  std::string filename;
  source_position start, end;
};

struct expression_value {
  std::string traversal, statement;
};

/// Whole source lines around a fault. Offsets count bytes of `code`.
struct source_snippet {
  std::optional<std::string> context;
  std::string code;
  std::int64_t start_line = 0, highlight_start_offset = 0, highlight_end_offset = 0;
  std::vector<expression_value> values;
  json_text function_call;  // empty: none
  /// Of a file in JSON syntax that is one line: where in it the fault is, such as
  /// "resource.aws_vpc.main.cidr_block". `code` then is the block around it, in lines of its own
  /// that the file does not have, and `start_line` the file's. Nothing: the lines are the file's.
  std::optional<std::string> path = {};
};

/// What schemas know of the attribute (or block) that a diagnostic names.
struct attribute_card {
  std::string type;        // of the resource, such as "aws_db_instance"
  std::string path;        // names from its body: "network.port"
  std::string value_type;  // as OpenTofu writes it, "list(string)"; empty: a block
  bool required = false, sensitive = false;
  std::string description, deprecated;  // empty: nothing is said
  json_text default_value;              // empty: none, or only the provider knows it
  std::vector<std::string> validators;  // as the specification has them: Go code
  std::string_view replacement;         // "certain", "possible"; empty: not said

  bool operator==(const attribute_card&) const = default;
};

struct diagnostic_row {
  std::uint32_t ordinal = 0;
  std::string severity, summary, detail, address;  // address empty: none
  std::optional<source_range> range;
  std::optional<source_snippet> snippet;
  std::optional<attribute_card> attribute;
  std::string test_file, test_run;  // empty: none
  std::optional<ui::time_point> at;
};

struct output_row {
  std::string name;
  bool sensitive = false;
  std::string action;              // empty: unknown
  json_text type;                  // empty: unknown
  std::optional<json_text> value;  // absent: sensitive or unknown
  std::optional<std::string> deprecated;
  std::optional<bool> applied;
};

struct message_row {
  std::uint32_t ordinal = 0;
  std::string level, type, text;  // type empty: the message had none
  std::optional<ui::time_point> at;
};

struct test_file_row {
  std::string path, status;
};

struct test_run_row {
  std::string path, name, status;
};

/// One line of provisioner output. Views into the message it came from: valid until the next line.
struct log_line {
  std::string_view addr;
  std::uint32_t step = 0, provisioner = 0, n = 0;  // 0: none was open
  std::optional<ui::time_point> at;
  std::string_view text;
};

/// One line that was no UI message, valid UTF-8 or not. Valid until the next line.
struct text_line {
  std::uint64_t n = 0;
  std::string_view text;
};

struct change_counts {
  std::int64_t add = 0, change = 0, import = 0, remove = 0, forget = 0;
  bool operator==(const change_counts&) const = default;
};

struct test_counts {
  std::int64_t passed = 0, failed = 0, errored = 0, skipped = 0;
  bool operator==(const test_counts&) const = default;
};

struct label {
  std::string key, value;
  bool operator==(const label&) const = default;
};

/// `KEY=VALUE` as people write it, split at the first "="; the value may be empty. Nothing without
/// a key or without "=".
std::optional<label> parse_label(std::string_view text);

/// Whether the sender of an uploaded run is heard of: a request within a minute, within a quarter
/// of an hour, or not.
enum class run_contact : std::uint8_t { ok, none, lost };
std::string_view name(run_contact contact);

/// When a run is expected to be over.
struct expected_end {
  ui::time_point at;        // the moment, by the stream's clock, that seconds count from
  double p50 = 0, p80 = 0;  // seconds until its last operation ends
  /// All that runs has taken longer than it usually does: the two above say nothing.
  bool overrun = false;
  bool operator==(const expected_end&) const = default;
};

/// What an identity provider says of whoever sent a run; its daemon has verified it. What is empty
/// was not said.
struct verified_facts {
  std::string issuer;   // "https://token.actions.githubusercontent.com"
  std::string subject;  // as the issuer names the job, or the user
  std::string repository, ref, actor;
  bool operator==(const verified_facts&) const = default;
};

/// What a run is as a whole: a view, recomputed whenever somebody looks.
struct run_view {
  std::string id;
  run_command command = run_command::other;
  run_status status = run_status::running;
  run_phase phase = run_phase::plan;
  std::string tofu, terraform, ui;  // versions; empty: not printed
  std::vector<label> labels;
  std::uint64_t counts[resource_statuses] = {};
  struct progress_of_run {
    std::uint64_t done = 0, total = 0;
  } progress;
  std::optional<change_counts> planned, applied;
  struct diagnostics_of_run {
    std::uint64_t errors = 0, warnings = 0;
  } diagnostics;
  std::optional<ui::time_point> started_at, ended_at, last_line_at;
  std::optional<int> exit_status;
  struct lines_of_run {
    std::uint64_t messages = 0, text = 0, log = 0, unmatched = 0, malformed = 0;
  } lines;
  std::string stack;  // empty: unknown
  std::optional<test_counts> tests;
  bool interleaved = false;
  bool attached[attachments] = {};
  std::optional<run_contact> contact;  // of runs that somebody else sends
  /// Smallest time between a line's stamp and its arrival: how far the clocks are apart.
  std::optional<std::chrono::microseconds> clock_offset;
  /// Of runs that somebody sends: when the daemon first heard of it, by the daemon's clock.
  std::optional<ui::time_point> created_at;
  /// Null: nobody has verified who sent it.
  std::shared_ptr<const verified_facts> verified;
  /// Of one that goes on; nothing: nobody knows.
  std::optional<expected_end> estimate;
  struct first_failure {
    std::string addr;     // empty: it is of no resource
    std::string summary;  // why, in a line (diagnostics/reason.hpp); empty: nobody has said yet
  };
  struct stranding {
    std::string addr;
    std::uint64_t count = 0;
  };
  struct failures_of_run {
    std::optional<first_failure> first;  // nothing: nothing failed
    /// The failure that keeps most resources from beginning; nothing: none does, or nobody knows.
    std::optional<stranding> worst;
  } failures;
  /// Why its stream is kept and can't be shown, a sentence; empty: it can be.
  std::string unreadable;
};

/// How far it is: "3/41", of `tofu plan` "41 planned", since nothing is to be done there. Empty: no
/// plan is known.
std::string progress_text(const run_view& run);

}  // namespace tofud::feed
