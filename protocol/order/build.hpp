// The order of an apply's operations, as the program itself makes it (decision 0042).
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/order/order.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::order {

/// What a plan does to one address.
struct planned_object {
  std::string address;
  bool makes = false;    // creates, updates or reads it, or creates the new object of a replace
  bool removes = false;  // deletes it, or the old object of a replace
  std::optional<bool> create_before_destroy = {};  // of a replace; nothing: not said
  std::vector<std::string> deposed = {};           // objects left over that are deleted
  std::string_view making = "create";              // the word for what makes it
};

/// How what is made in a module with several instances waits for what its block refers to in that
/// module. With Terraform for all instances of it; with OpenTofu (1.12.6) for its own instance's,
/// and for what those blocks refer to in all of them (oracles in tests/causality).
enum class waiting_by : bool { block, module_instance };

struct facts {
  const attachments::config_facts* config = nullptr;  // null, or without has_order(): unknown
  const known_objects* state = nullptr;               // null: unknown
  waiting_by waits = waiting_by::block;
};

/// Of several entries for an address the first counts.
order build(const std::vector<planned_object>& planned, const facts& known);

}  // namespace tofud::order
