// One run: messages in, changed rows out. Pure: no clock, no I/O (design: from hooks to rows).
#pragma once

#include "daemon/correlator/limits.hpp"
#include "daemon/correlator/resource_state.hpp"
#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/text_policy.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/source.hpp"
#include "protocol/redact/hider.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/text/text_arena.hpp"
#include "protocol/ui/message.hpp"

#include <boost/container/deque.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::correlator {

/// What a run is told about itself from outside the stream.
struct run_identity {
  std::string id;
  std::string stack;  // empty: unknown
  std::vector<feed::label> labels;
  std::optional<feed::run_command> command;    // nothing: inferred
  bool may_ask = false;                        // OpenTofu may stop and ask for approval
  feed::cut line_limit = feed::cut::at_limit;  // of log and text lines
  text_policy shows;
  std::string base_path;  // of feed::run_path
  /// Texts of rows are cut at limits::kept_text_bytes when they are taken in, so that a run's
  /// memory does not grow with the length of its lines. No: for who looks for a whole row.
  bool cuts_texts = true;
};

/// What is known of a run besides its stream; null: it is not.
struct run_attachments {
  std::shared_ptr<const attachments::plan_facts> plan = {};
  std::shared_ptr<const attachments::config_facts> config = {};
  std::shared_ptr<const schema::schemas> schemas = {};
  std::shared_ptr<const redact::ready_rules> hidden = {};  // values that no text has from here on
};

/// Whether another run follows in the same stream.
enum class followed : bool { no, yes };

class run_state {
 public:
  /// Resources never move: their rows are looked up by views into them.
  using resource_list =
      boost::container::deque<resource_state, void,
                              boost::container::deque_options_t<boost::container::block_size<64>>>;

  /// `watcher` outlives the run.
  run_state(run_identity identity, row_sink& watcher);

  void apply(const ui::envelope& head, const ui::message& message);
  void apply_text(std::string_view line);
  /// A row about the stream itself, such as "stream ends in mid-line".
  void note(std::string_view level, std::string_view text);
  void count_malformed() { ++malformed_; }
  void mark_interleaved();
  void mark_unsupported(std::string_view ui);
  void set_exit_status(int status) { exit_status_ = status; }
  void set_labels(std::vector<feed::label> labels) { identity_.labels = std::move(labels); }
  void mark_broken_off() { broken_off_ = true; }
  /// Lines are lost here.
  void mark_gap() { facts_.has_gap = true; }
  /// From here on; what was attached before is attached still.
  void attach(const run_attachments& known);

  /// From a plan summary with changes until the next line, outputs aside, somebody may be asked for
  /// approval: the stream does not say so (recording json-into-approval).
  bool may_wait_for_approval() const { return asked_ && !facts_.over; }
  /// How long that is so depends on a clock, which is the caller's: from now on the view says it,
  /// until the next line. True if it did not say so before.
  bool show_approval();

  /// No more lines will come: closes what is open and settles every status.
  void end(followed next);
  bool over() const { return facts_.over; }

  const std::string& id() const { return identity_.id; }
  /// See feed::run_path.
  std::string path() const;
  const run_identity& identity() const { return identity_; }
  /// Of what comes from now on.
  void show(text_policy shows) { identity_.shows = shows; }
  bool had_message() const { return messages_ > 0; }
  bool unsupported() const { return unsupported_; }
  bool interleaved() const { return interleaved_; }
  /// It has as many rows as there may be, and gets no more.
  bool is_full() const { return full_; }
  /// A create, update or delete step is open.
  bool has_open_change() const { return open_changes_ > 0; }
  feed::run_status status() const { return status_; }
  /// A step of an apply phase, other than refreshes and ephemeral ones, or an apply or destroy
  /// summary has come.
  bool apply_ran() const { return facts_.apply_ran; }
  feed::sequence head() const { return seq_; }
  feed::run_view view() const;

  std::size_t rows() const { return rows_.size(); }
  feed::sequence seq(feed::row_number row) const { return rows_[row].seq; }
  feed::row_kind kind(feed::row_number row) const { return rows_[row].kind; }
  feed::row_facts facts(feed::row_number row) const;
  void encode(std::string& out, feed::row_number row, feed::sequence seq, feed::cut limit) const;
  /// Bytes of the row's texts that were cut when they were taken in.
  std::size_t bytes_cut(feed::row_number row) const;
  /// About how many bytes of memory all rows take.
  std::size_t memory() const;
  /// The row of that kind and key, if any.
  std::optional<feed::row_number> find(feed::row_kind kind, std::string_view key) const;

  const feed::resource_row* resource(feed::row_number row) const;
  /// What the attached configuration says of an address. Views, valid as long as the run.
  feed::annotations annotated(std::string_view address) const;
  const feed::diagnostic_row* diagnostic(feed::row_number row) const;
  const feed::message_row* message(feed::row_number row) const;
  const resource_list& resources() const { return resources_; }
  std::size_t diagnostics() const { return diagnostics_.size(); }
  const feed::diagnostic_row& diagnostic_at(std::size_t i) const { return diagnostics_[i].row; }
  std::vector<std::string_view> output_names() const;
  std::size_t outputs() const { return outputs_.size(); }
  const feed::output_row& output_at(std::size_t i) const { return outputs_[i].row; }
  std::size_t test_files() const { return test_files_.size(); }
  const feed::test_file_row& test_file_at(std::size_t i) const { return test_files_[i].row; }
  std::size_t test_runs() const { return test_runs_.size(); }
  const feed::test_run_row& test_run_at(std::size_t i) const { return test_runs_[i].row; }

 private:
  friend class message_visitor;

  struct row_entry {
    feed::row_kind kind;
    std::uint32_t index;  // within its kind
    feed::sequence seq = 0;
  };

  struct output_entry {
    feed::output_row row;
    feed::row_number number = 0;
    std::uint64_t named_by = 0;  // the newest of `output_messages_` that has it
    std::size_t bytes_cut = 0;   // bytes of its value and type
  };

  template <typename Row>
  struct numbered {
    Row row;
    feed::row_number number = 0;
    std::size_t bytes_cut = 0;  // bytes of its texts
  };

  /// The number of a new row; nothing once there are limits::rows_per_run.
  std::optional<feed::row_number> new_row(feed::row_kind kind, std::size_t index);
  void touch(feed::row_number row);
  /// Settles the resource's status and the run's totals, then the row gets its number.
  void touch(resource_state& resource);
  void settle(resource_state& resource);
  /// The same text, as long as the run lives; of a few words, one copy each.
  std::string_view kept(std::string_view text) { return text_.keep(text); }
  std::string_view kept_word(std::string_view word);
  /// The resource of that address, made if need be; null if there are too many rows.
  resource_state* resource_at(const ui::resource& resource, bool& made);
  resource_state* known_resource(std::string_view addr);
  /// The parts of an address; `index` is JSON.
  struct named {
    std::string_view addr, module, relative, type, name, provider, index;
  };
  void name_row(feed::resource_row& row, const named& parts);
  resource_state* add_resource(const named& parts);
  resource_state* resource_at(std::string_view addr, std::string_view index, bool& made);
  /// What is attached about it, into its row. True if the row differs.
  bool learn(resource_state& resource);
  /// The same of its newest planned entry, and of a step that was just opened.
  void learn_planned(resource_state& resource);
  /// Counts what came of a resource that has as much as is kept, and says so once.
  void leave_out(const resource_state& resource);
  planned_facts facts_of_plan(const resource_state& resource);
  void learn_step(resource_state& resource, feed::step& opened) const;
  /// Without the attached plan's sensitive values; valid until the next text.
  std::string_view hidden(std::string_view text) { return hider_ ? hider_->text(text) : text; }
  /// The same of a row's texts. True if one of them had such a value.
  bool hide(feed::diagnostic_row& row);
  bool hide(feed::output_row& row);
  bool hide(feed::message_row& row);
  bool hide(resource_state& resource);
  /// What came before the plan. Lines of logs are gone.
  void hide_rows();
  template <typename Rows>
  void hide_all(Rows& rows);
  bool learn(feed::diagnostic_row& row) const;
  /// Cuts a text that is to be kept; returns how many bytes went.
  std::size_t cut(std::string& text);
  std::size_t cut(feed::diagnostic_row& row);
  /// A saved plan is applied whose stream leaves out what that plan alone says (protocol: traps).
  bool applies_saved_plan() const;
  void lay_plan();
  void lay_output(const attachments::plan_facts::output& planned);
  void add_message(std::string_view level, std::string_view type, std::string_view text,
                   std::optional<ui::time_point> at);
  void emit_line(feed::row_kind kind, feed::row_number subject, std::string_view text);
  feed::run_status infer_status() const;
  feed::run_command command() const;

  run_identity identity_;
  row_sink& watcher_;
  feed::sequence seq_ = 0;
  std::vector<row_entry> rows_;
  resource_list resources_;
  std::deque<numbered<feed::diagnostic_row>> diagnostics_;
  std::deque<output_entry> outputs_;
  std::deque<numbered<feed::message_row>> message_rows_;
  std::deque<numbered<feed::test_file_row>> test_files_;
  std::deque<numbered<feed::test_run_row>> test_runs_;
  // Boost's own hash of a string goes byte by byte, and addresses are long.
  using by_text =
      boost::unordered_flat_map<std::string_view, std::uint32_t, std::hash<std::string_view>>;
  by_text by_addr_, by_output_, by_test_file_;
  boost::unordered_flat_set<std::string_view, std::hash<std::string_view>> words_;
  text::text_arena text_;  // of resource rows
  std::size_t texts_ = 0;  // bytes of those of other rows
  resource_state* last_found_ = nullptr;
  boost::unordered_flat_map<std::string, std::uint32_t> by_test_run_;
  // Diagnostics whose address no resource has yet.
  boost::unordered_flat_map<std::string, std::vector<std::uint32_t>> unlinked_;
  std::vector<std::uint32_t>
      opened_reads_;                      // resources with a read or refresh since the last summary
  std::vector<std::uint32_t> stateless_;  // resources with a planned import, move or remove
  std::string line_json_;

  run_attachments attached_;
  /// Of resources that `attached_.plan` has: which of its facts an entry of theirs has.
  boost::unordered_flat_map<feed::row_number, std::vector<bool>> taken_facts_;
  std::optional<redact::hider> hider_;
  bool plan_laid_ = false;
  run_facts facts_;
  feed::run_phase phase_ = feed::run_phase::plan;
  feed::run_status status_ = feed::run_status::running;
  std::string tofu_, terraform_, ui_;
  std::uint64_t counts_[feed::resource_statuses] = {};
  std::uint64_t progress_done_ = 0, progress_total_ = 0;
  std::uint64_t open_steps_ = 0, open_changes_ = 0;
  std::optional<feed::change_counts> planned_, applied_;
  std::optional<feed::test_counts> tests_;
  std::string test_status_;  // of `test_summary`
  std::uint64_t errors_ = 0, warnings_ = 0;
  std::optional<ui::time_point> started_at_, last_line_at_;
  std::optional<int> exit_status_;
  std::uint64_t versions_ = 0, messages_ = 0, text_lines_ = 0, log_lines_ = 0, unmatched_ = 0,
                malformed_ = 0, output_messages_ = 0;
  bool apply_errored_ = false, cancelled_ = false, interrupted_ = false;
  bool plan_summary_ = false, destroy_summary_ = false, output_values_ = false;
  bool planned_change_ = false, refreshed_ = false, tested_ = false, drift_ = false;
  bool last_says_all_ = false;  // the last message was untyped, or of a type that ends a command
  bool asked_ = false, approval_shown_ = false;
  bool broken_off_ = false;
  bool interleaved_ = false, unsupported_ = false, full_ = false, has_left_out_ = false;
};

}  // namespace tofud::correlator
