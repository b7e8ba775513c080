// What waits for what while an apply goes on, kept up to date line by line: what `progress` answers
// when it is asked, for all operations at once (decision 0042).
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/order/order.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tofud::order {

/// Number of a group: operations with the same before and behind them, which wait for the same.
using group = std::uint32_t;

class course {
 public:
  /// `of` lives longer. Operations are told in the order in which they stand in it, which is that
  /// of their first appearance.
  explicit course(const order& of);
  course(const course&) = delete;
  course& operator=(const course&) = delete;

  /// More than can be looked at (limits::course_looks): nothing is known of what waits.
  bool too_large() const { return too_large_; }
  /// What came contradicted the order so often (limits::contradictions) that nothing of it holds.
  bool given_up() const;
  /// Operations that began before something that is before them had ended. What they were said to
  /// wait for is forgotten, for all of their group.
  std::size_t contradictions() const { return cut_.size(); }

  /// True if nothing contradicts it.
  bool begin(vertex operation);
  void finish(vertex operation);
  void fail(vertex operation);

  group group_of(vertex operation) const { return groups_of_[operation]; }
  /// Those that have not ended well.
  const std::vector<vertex>& unfinished(group of) const { return groups_[of].unfinished; }
  /// Groups whose texts differ from those last told of, in no order, each once.
  std::vector<group> take_changed();

  /// What operations of the group wait for (F3 of decision 0042); null: not known, or one of those
  /// has failed. Empty: for a slot alone. Groups that wait for the same have the same, which stays
  /// where it is and says something else once a group is among `take_changed`.
  const feed::named_operations* waiting_for(group of);
  /// The failed ones before them; null: none. It stays where it is likewise.
  const feed::named_operations* behind(group of);
  /// How many addresses own an operation behind that one, its own not counted; nothing: too many
  /// looks.
  std::optional<std::uint64_t> strands(vertex operation);

  /// Groups that were cut off by contradictions, in order, for who makes the course again.
  const std::vector<group>& cut() const { return cut_; }
  /// As if an operation of it had contradicted.
  void cut_off(group which);

  /// About how many bytes of memory it takes.
  std::size_t memory() const { return memory_; }

 private:
  /// Of the operations that groups wait for those of one block.
  struct block_left {
    std::uint32_t block = 0, left = 0;
    std::vector<group> groups;
  };
  /// What one group waits for, or several that wait for the same.
  struct waited_set {
    std::vector<block_left> blocks;
    std::vector<group> waiters;
    std::uint32_t blocks_left = 0;
    std::uint64_t left = 0;
    feed::named_operations told;
    bool is_stale = true;
  };
  struct failed_block {
    std::uint32_t block = 0;
    std::vector<vertex> operations;  // as many as are named, and one
  };
  struct waiting_group {
    std::vector<vertex> unfinished;
    std::uint32_t block = 0;
    std::vector<group> before, after;                                // direct ones, hubs among them
    std::uint32_t waits = 0;                                         // into `sets_`
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waited_by;  // sets, and places of blocks
    std::vector<failed_block> failed;
    std::unique_ptr<feed::named_operations> behind;
    bool is_hub = true, known = false, is_cut = false, is_changed = false, is_stale = true;
  };
  void number_operations();
  void make_groups();
  void connect_groups();
  void find_waits();
  void add_set(const std::vector<group>& nearest);
  void mark(group which);
  void spread_failure(vertex failed);
  feed::named_operations named(waited_set& waits);
  feed::named_operations named(const std::vector<failed_block>& failed) const;
  bool add_failure(waiting_group& to, vertex failed) const;

  const order& of_;
  std::vector<waiting_group> groups_;
  std::vector<waited_set> sets_;
  std::vector<group> groups_of_;       // by vertex, hubs too
  std::vector<std::uint32_t> places_;  // in `unfinished` of its group
  std::vector<std::uint32_t> blocks_;  // by vertex
  std::vector<std::string> block_names_;
  std::vector<std::uint32_t> block_firsts_;  // ordinals of their first operations
  std::vector<std::uint32_t> addresses_;     // by vertex: the ordinal of the first of that address
  std::vector<group> changed_, cut_;
  std::vector<vertex> failures_;
  std::size_t strand_looks_ = 0, memory_ = 0;
  bool too_large_ = false;
};

}  // namespace tofud::order
