// What the rows of a run take from an attached plan.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/plan/plan.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::attachments {

/// The words are the stream's, which differ from a plan's (protocol: planned_change).
class plan_facts {
 public:
  /// One entry of `resource_changes` that says something: no data source that goes, nothing that
  /// stays as and where it is.
  struct change {
    std::string address, previous_address, deposed;
    std::string index = "null";  // of the instance, as JSON
    std::string_view action;     // such as "replace"
    std::string reason;          // empty: none
    bool imports = false;        // beside or instead of another action
    bool create_before_destroy = false;
    /// A mere move or import, which the stream of a saved plan leaves out.
    bool unsaid = false;
  };
  struct drift {
    std::string address;
    std::string index = "null";
    std::string_view action;  // "update" or "delete"
  };
  struct output {
    std::string name;
    std::string_view action;
    bool sensitive = false;
  };

  /// Memory: the names. A failure names the path of what is wrong.
  static plan::result<plan_facts> read(const plan::document& from);

  /// Entries of an address; more than one where deposed objects are left over.
  std::span<const change> of(std::string_view address) const;
  /// All, by address.
  const std::vector<change>& changes() const { return changes_; }
  const std::vector<drift>& drifts() const { return drifts_; }
  const std::vector<output>& outputs() const { return outputs_; }
  /// As the summary of a plan has them.
  const feed::change_counts& counts() const { return counts_; }

 private:
  std::vector<change> changes_;
  std::vector<drift> drifts_;
  std::vector<output> outputs_;
  feed::change_counts counts_;
};

}  // namespace tofud::attachments
