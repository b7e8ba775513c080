// One resource of a run: its row and what the fold must remember of it besides.
#pragma once

#include "daemon/correlator/limits.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tofud::correlator {

/// Facts of the run that decide the status of resources which printed nothing themselves.
struct run_facts {
  bool over = false;           // the stream has ended
  bool succeeded = false;      // meaningful once over
  bool apply_ran = false;      // a step of the apply phase, or an apply or destroy summary
  bool apply_summary = false;  // an apply or destroy summary came
  bool has_gap = false;        // lines of it are lost: what printed nothing may have been done
};

/// What an attached plan says of an address, and which of it some entry of `row.plan` has. Kept
/// beside the resources: few runs have a plan, and each byte of a resource costs all of them.
struct planned_facts {
  std::span<const attachments::plan_facts::change> all;
  std::vector<bool>* taken;  // null if there are none
};

/// How many steps a planned action owes: replace 2; create, update, delete, read 1; others 0.
/// OpenTofu sends no change that is none, and calls forget-then-create "noop": that owes the
/// create.
std::uint32_t owed_steps(std::string_view action);
/// Whether it is one of create, update, delete, replace, noop: what a progress bar counts.
bool owes_change(std::string_view action);

class resource_state {
 public:
  feed::resource_row row;
  feed::row_number number = 0;
  std::uint32_t loose_lines = 0;  // provisioner lines that came with no step open

  /// False: it has as many as are kept (limits::parts_of_resource), and this is not one of them.
  bool plan(const feed::planned& entry);
  /// What an attached plan (null: none) says of it, entry by entry, the block it was made of (null:
  /// unknown) and what people wrote of that. All live as long as the resource. True if the row
  /// differs.
  bool set_facts(const planned_facts& facts, const attachments::declared_block* block,
                 const feed::annotations& annotated);
  /// The same of the newest entry of `row.plan` alone.
  void learn_planned(const planned_facts& facts, const attachments::declared_block* block);
  /// What the block declares to run in a step that was just opened.
  void learn_step(feed::step& opened, const attachments::declared_block& block) const;
  /// Null: see `plan`.
  feed::step* open_step(feed::step_action action, feed::run_phase phase,
                        std::optional<ui::time_point> at);
  /// The oldest open step of that action; of several with equal ids the one whose id matches.
  feed::step* oldest_open(feed::step_action action, std::string_view id_value = {});
  /// Where a provisioner hook belongs: the newest open create step, else the newest open delete or
  /// update; null if there is none.
  feed::step* provisioned_step();
  /// A provisioner of that step. Null: see `plan`.
  feed::provisioner* add_provisioner(feed::step& step);
  /// Notes a diagnostic that names it. False: see `plan`.
  bool add_diagnostic(std::uint32_t ordinal);
  void close_step(feed::step& step, feed::step_status status, bool inferred,
                  std::optional<ui::time_point> at);
  /// Remembers the id of a step, and of the row unless the step deletes. An address with a deposed
  /// object has refreshes with different ids: which of them is the current object's is not said,
  /// so the row has none until a step makes one. The text lives as long as the resource.
  void identify(feed::step& step, std::string_view key, std::string_view value);

  /// Closes open `read` and `refresh` steps as failed: OpenTofu prints no end for those that
  /// failed.
  bool fail_open_reads(std::optional<ui::time_point> at);
  /// Closes what the end of the stream left open.
  bool close_open(feed::step_status status, bool inferred);

  /// What this resource adds to the totals of its run.
  struct share {
    std::optional<feed::resource_status> status;  // nothing: not counted yet
    bool owes_change = false;
    bool drifted = false;
    std::uint16_t open = 0, open_changes = 0;
  };
  share current_share() const {
    return {row.status, tally_.owes_change, row.drift == "update" || row.drift == "delete",
            tally_.open, tally_.open_changes};
  }
  /// Whether the end of the stream may change its status or a step of it.
  bool is_unsettled() const {
    return tally_.open > 0 || row.status == feed::resource_status::planned ||
           row.status == feed::resource_status::running;
  }
  share counted;  // what the run has counted so far

  /// Sets `row.status` and `row.inferred`. True if either changed.
  bool update_status(const run_facts& run);

  /// What is remembered of its steps and plan, besides the row. As many as
  /// limits::parts_of_resource each.
  struct tally {
    std::uint16_t open = 0, open_changes = 0;  // running steps; of them, create, update and delete
    std::uint16_t owed = 0;
    std::uint16_t failed = 0, failed_inferred = 0, interrupted = 0;
    std::uint16_t done = 0, done_inferred = 0;  // of the steps that count as owed ones
    std::uint16_t active = 0;                   // steps other than refreshes
    std::uint16_t provisioners = 0;             // of all steps
    std::uint16_t first_create = 0;             // number of the first create step; 0: none came
    bool knows_deposed = false;                 // an entry tells of a deposed object
    bool owes_change = false;
    bool many_ids = false;   // refreshes of this address had different ids
    bool stateless = false;  // an import, move or remove is planned: no hook will come
  };
  const tally& remembered() const { return tally_; }
  /// Of a resource that is made again as it was.
  void remember(const tally& what) { tally_ = what; }

 private:
  struct verdict {
    feed::resource_status status;
    bool inferred;
  };
  /// What is planned is called "noop": it ends as it was, unless an apply does more.
  bool plans_nothing() const;
  verdict judge(const run_facts& run) const;
  bool learn_entry(feed::planned& entry, const planned_facts& facts);
  static bool learn_order(feed::planned& entry, const attachments::declared_block& block);
  void learn_steps(const attachments::declared_block& block, bool& changed);
  bool learn_block(const attachments::declared_block& block, const feed::annotations& annotated);
  std::uint32_t declared_for(const feed::step& step,
                             const attachments::declared_block& block) const;

  /// Whether one of the objects at this address may be another than the current one.
  bool may_be_deposed() const;
  static bool tells_of_deposed(const feed::planned& entry);

  tally tally_;
};

}  // namespace tofud::correlator
