// A recorded apply (record.py): what was planned, what came, and the program's own graph.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/order/order.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tofud::test {

/// The hook of an operation: a line of the stream.
struct hook {
  enum class kind { start, complete, errored } what;
  std::string address;
  order::effect effect;
};

struct recorded_apply {
  std::vector<order::planned_object> planned;
  attachments::config_facts config;
  attachments::config_facts plan_config;  // as the plan has it
  order::known_objects state;             // of the state file before it
  order::known_objects prior;             // the same as the plan has it
  order::waiting_by program_waits = order::waiting_by::block;
  std::vector<hook> hooks;
  order::order oracle;                                  // the program's own, as it logged it
  std::set<std::pair<std::string, std::string>> waits;  // lines of its log: who waits for whom
  std::set<std::string> skips;                          // vertices that it skipped
  std::map<std::string, order::vertex> oracle_names;    // vertices of `oracle` by their names
};

/// Names of folders in tests/causality/recordings.
std::vector<std::string> recorded_applies();
recorded_apply read_apply(const std::string& name);
/// Ends with a slash.
std::string recording_folder(const std::string& name);
/// Of the lines of a stream.
std::vector<hook> hooks_in(const std::string& stream);
/// A recording without an oracle: `plan.json`, `config` if it is there, and a stream (also `.gz`).
recorded_apply read_stream(const std::filesystem::path& folder, const std::string& stream);

/// "make aws_vpc.a", "remove aws_vpc.a".
std::string name_of(const order::operation& what);

}  // namespace tofud::test
