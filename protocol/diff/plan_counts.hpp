// How many resources a plan does what to.
#pragma once

#include "protocol/diff/drawer.hpp"
#include "protocol/plan/plan.hpp"
#include "protocol/plan/resource_change.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace tofud::diff {

/// Whether a change is told at all: none of a data source that goes, an ephemeral resource, or one
/// that neither changes, moves nor is imported.
bool is_told(const plan::resource_change& about);

class plan_counts {
 public:
  /// Of a change that is told.
  void add(const plan::change& change);
  std::size_t of(plan::planned_action done) const {
    return counts_[static_cast<std::size_t>(done)];
  }
  /// Nothing is done to any; some may be moved or imported.
  bool empty() const;
  /// "1 to import, 2 to add, 3 to change, 4 to destroy, 5 to forget."
  std::string in_words(plan::product made_by = plan::product::opentofu) const;

 private:
  std::array<std::size_t, static_cast<std::size_t>(plan::planned_action::unknown) + 1> counts_{};
  std::size_t imports_ = 0;
};

/// What the signs mean that are used; whole lines.
std::string legend(const plan_counts& counts, const drawer& with, const text::ink& pen,
                   plan::product made_by = plan::product::opentofu);

}  // namespace tofud::diff
