// The rows of a run that is over, beside its stream: who reads them first need not wait until they
// are folded again.
#pragma once

#include "daemon/correlator/run_identity.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "protocol/events/event.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// All that rows are made of.
struct row_sources {
  correlator::run_identity identity;
  std::vector<events::event> events;
  std::uint64_t bytes = 0;                            // of the stream
  std::map<feed::attachment, std::string> documents;  // where those lie that may be attached
  std::string more;  // what else tells these from others: events as they came, times of documents

  /// What tells these from others.
  std::string fingerprint() const;
};

/// A stream's fold as it was at its end, with its sinks still to be told, and the newest lines.
struct kept_rows {
  std::unique_ptr<pipeline::engine> rows;  // null: it is to be folded
  pipeline::run_topics::kept_lines lines;
};

/// What the file at `path` has. Nothing: it is not there, broken, or of other sources or another
/// build, and a document that was attached can't be read. For any thread.
kept_rows read_rows(const std::string& path, const row_sources& of);

/// What is to stand in that file, with limits::kept_lines_bytes of lines: made by folding the
/// stream. Empty: nobody wants it any more, all folds together would take more than `most_memory`
/// bytes, or something can't be read. For any thread.
std::string rows_to_keep(const row_sources& of, const files::stream_bytes& stream,
                         std::size_t most_memory, const std::atomic<bool>& is_wanted);

}  // namespace tofud::serve
