// The rows of a run that is over, beside its stream: who reads them first need not wait until they
// are folded again.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/correlator/run_identity.hpp"
#include "daemon/files/stream_bytes.hpp"
#include "daemon/pipeline/engine.hpp"
#include "daemon/pipeline/run_topics.hpp"
#include "protocol/events/event.hpp"
#include "protocol/text/failure.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tofud::serve {

/// All that rows are made of. The file says of which it was made, so after any change, such as an
/// update of the program, it is as if it were not there.
struct row_sources {
  using parts = std::map<feed::attachment, attachments::documents::read_part>;

  correlator::run_identity identity;
  std::vector<events::event> events;
  std::uint64_t bytes = 0;       // of the stream
  std::shared_ptr<parts> known;  // what is attached, as it was read
  std::string more;  // what else tells them from others: events as they came, files attached

  /// What tells these from others.
  std::string fingerprint() const;
};

/// A stream's fold as it was at its end, with its sinks still to be told, and the newest lines.
struct kept_rows {
  std::unique_ptr<pipeline::engine> rows;  // null: it is to be folded
  pipeline::run_topics::kept_lines lines;
};

/// What the file at `path` has; nothing if it is not there, or of other sources, or broken. For any
/// thread; nobody else uses `of.known` meanwhile. `later` reads what is attached afterwards.
kept_rows read_rows(const std::string& path, const row_sources& of, pipeline::part_reader later);

/// Folds the stream and writes that file, with limits::kept_lines_bytes of lines. Nothing is
/// written, and there is no failure, once nobody wants it any more. For any thread, as above.
text::failure write_rows(const std::string& path, const row_sources& of,
                         const files::stream_bytes& stream, const std::atomic<bool>& is_wanted);

}  // namespace tofud::serve
