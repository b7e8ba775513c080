// What is remembered of a run: its operations, one for each step of a resource that ended.
#pragma once

#include "protocol/history/score.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::history {

struct operation {
  std::string addr, type;
  std::string provider, provider_version;  // such as "hashicorp/aws", "5.100.0"; empty: unknown
  std::string action, phase, status;       // the feed's words: "create", "apply", "done"
  double seconds = 0;
  ui::time_point started_at;
};

struct remembered_run {
  std::string id, stack;
  std::string command, status;  // the feed's words
  std::string commit, actor;    // what its labels claim; empty: nothing
  std::string granted = {};     // labels that its daemon gave it (feed::labels_text)
  std::optional<ui::time_point> started_at;
  std::vector<said_estimate> said;  // of its end, while it went on
};

/// A run and what it did, of a stream that may have several.
struct run_operations {
  remembered_run run;
  std::vector<operation> operations;
};

}  // namespace tofud::history
