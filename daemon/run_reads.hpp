// Reads of the present moment: a run and its rows, one row, lines of a provisioner.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/old_lines.hpp"
#include "daemon/pipeline.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud {

struct readable_run {
  const pipeline::run* run;
  stream_bytes bytes;                   // of its stream
  std::shared_ptr<const void> keeps{};  // held while an answer is being sent
};

/// `find` is asked for the id in a path, `latest` included.
using run_finder = std::function<std::optional<readable_run>(const std::string& id)>;

/// `/v1/runs/ID`, `/v1/runs/ID/row` and `/v1/runs/ID/log`.
void add_run_reads(http::router& routes, const run_finder& find);

}  // namespace tofud
