// Reads of the present moment: a run and its rows, one row, lines of a provisioner.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/api/long_reads.hpp"
#include "daemon/http/router.hpp"
#include "daemon/pipeline/line_history.hpp"
#include "daemon/pipeline/rows_at.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "daemon/pipeline/stream_search.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud {

struct readable_run {
  const pipeline::run* run;
  files::stream_bytes bytes;            // of its stream
  std::shared_ptr<const void> keeps{};  // held while an answer is being sent
};

/// Is asked for the id in a path, `latest` included, in the name of who asks.
using run_finder =
    std::function<std::optional<readable_run>(const std::string& id, const access::principal& by)>;

/// The answer of `read` if there is such a run as the path's first capture names.
http::router::answer of_run(
    const run_finder& find,
    std::function<http::response(const readable_run&, const http::request&)> read);

/// The same for an answer that comes later.
http::router::later of_run_later(
    const run_finder& find, std::function<void(const readable_run&, const http::request&,
                                               const std::function<void(http::response)>& answer)>
                                read);

/// What is found in a stream by folding it once more, in turns of the loop. `keeps` is held as
/// long. 503: too many read already.
http::response found_in_turns(std::function<std::unique_ptr<pipeline::stream_search>()> begin,
                              std::shared_ptr<const void> keeps, long_reads& reads);

/// Of a run with that id. Empty: nobody remembers how long things take.
using past_estimate_maker = std::function<pipeline::past_estimate(const std::string& run)>;

/// `reads` outlives the loop's last turn. `/v1/runs/ID`, `/v1/runs/ID/row` and `/v1/runs/ID/log`,
/// and those of what is attached (attachment_reads.hpp), and documents (export_reads.hpp).
void add_run_reads(http::router& routes, const run_finder& find, long_reads& reads,
                   const past_estimate_maker& expected);

}  // namespace tofud
