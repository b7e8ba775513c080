// What is remembered of a folded run.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/history/limits.hpp"
#include "daemon/history/operation.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tofud::history {

remembered_run run_to_remember(const correlator::run_state& run);

/// Gathers the steps that ended, but for those whose end or time the stream does not tell. Of a run
/// with more resources than limits::remembered_resources, those of the most numerous types are
/// thinned: of each type so many that together they are about as many, chosen by their addresses,
/// so that the next run of the same resources remembers the same ones.
class operations_of_run {
 public:
  /// Does not change while this is in use.
  explicit operations_of_run(const correlator::run_state& run,
                             std::size_t most = limits::remembered_resources)
      : run_{run}, most_{most}, counted_{run.resources().size() <= most} {}

  /// Looks at `count` resources more and appends what they did. True if it has to be called again.
  bool add(std::vector<operation>& done, std::size_t count);

 private:
  void settle();
  bool keeps(const feed::resource_row& row) const;
  void add_steps(std::vector<operation>& done, std::size_t resource) const;

  const correlator::run_state& run_;
  std::size_t most_;
  bool counted_;
  std::size_t at_ = 0;
  std::unordered_map<std::string_view, std::size_t> of_types_;  // empty: all are remembered
  std::size_t most_of_type_ = 0;
};

/// The same in one go.
std::vector<operation> all_operations_of(const correlator::run_state& run);

}  // namespace tofud::history
