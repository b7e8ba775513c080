// The stream itself, of a run whose spool is here.
#pragma once

#include "daemon/api/run_reads.hpp"

namespace tofud {

/// `/v1/runs/ID/stream.jsonl`: what is folded of it, redacted as it would leave this machine, by
/// the secrets of our environment and of `mask_file` (empty: none) and the values that an attached
/// plan calls sensitive, and without the diagnostics that say more than their rows
/// (faults/withheld_line.hpp): the spool holds what no row shows. `last=BYTES` begins with the
/// first line that begins within so many bytes of the end; `Stream-Offset` says how many are passed
/// over at least. `follow=1` goes on until the stream is over.
void add_stream_read(http::router& routes, const run_finder& find, const std::string& mask_file);

/// Begins in the middle of a stream: what there is up to the first newline is no whole line. Takes
/// that away from pieces; false from the piece on that has it.
class line_finder {
 public:
  /// `from` 0: the stream begins with a line.
  explicit line_finder(std::uint64_t from) : looking_{from > 0} {}
  /// Of a piece that stands in `out` from `begin` on.
  void keep_lines(std::string& out, std::size_t begin);

 private:
  bool looking_;
};

/// Where to begin in a stream of so many bytes: before the byte that the last `last` of them begin
/// with, which may be the first of a line.
std::uint64_t offset_of_last(std::uint64_t bytes, std::uint64_t last);

/// Says so to who asked for the last bytes.
http::header stream_offset(std::uint64_t offset);

}  // namespace tofud
