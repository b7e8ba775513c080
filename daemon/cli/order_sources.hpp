// What the order of an apply is made of: a configuration, a plan, a state, as a command names them.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/order/order.hpp"
#include "protocol/plan/plan.hpp"

#include <optional>
#include <string>

namespace tofud::cli {

/// Empty: not given; the directory then is the current one.
struct order_files {
  std::string directory, plan, state;
};

/// Texts that parts are views into live as long.
struct order_sources {
  std::string plan_text;
  std::optional<plan::document> plan;
  attachments::config_facts config;
  order::known_objects known;
};

/// False: it can't be read, which is said.
bool read_sources(const order_files& given, order_sources& into);
/// The same of a plan that was read; `directory` of the root module, empty: what the plan has of
/// its configuration. The plan's texts outlive it.
bool read_order(const plan::document& plan, const std::string& directory, order_sources& into);
order::order order_of(const order_sources& from);

}  // namespace tofud::cli
