// Where things lie below the journal's root.
//
//   ROOT/lock                     held by the one daemon that writes here
//   ROOT/runs/ID/header.json      run_header
//   ROOT/runs/ID/stream.jsonl     the bytes as they came (stream.jsonl.gz once the run is over)
//   ROOT/runs/ID/stream.places    where in the compressed one its members begin
//   ROOT/runs/ID/arrivals         when they came
//   ROOT/runs/ID/events.jsonl     the events of the upload, as they came
//   ROOT/runs/ID/complete         the run is over; how long its stream is
//   ROOT/runs/ID/attachments/    plan.json, schemas.json, config.json, as far as they were sent
//   ROOT/runs/ID/archived        what of it the archive has
//   ROOT/runs/ID/rows.gz         of a large one: its rows, which can be made again from the others
//   ROOT/removed.jsonl            runs that a person removed
//   ROOT/index.sqlite             can be made again from all others
//
// In runs/, `.new-ID` is a run that is being made and `.gone-ID` one that is being removed: whoever
// finds them at start removes them.
#pragma once

#include "daemon/journal/limits.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tofud::journal {

inline constexpr std::string_view being_made = ".new-";
inline constexpr std::string_view being_removed = ".gone-";
/// Behind the name of a file that is being written and will be renamed.
inline constexpr std::string_view unfinished = ".unfinished";

inline std::string runs_in(const std::string& root) { return root + "/runs"; }
inline std::string removed_in(const std::string& root) { return root + "/removed.jsonl"; }
inline std::string index_in(const std::string& root) { return root + "/index.sqlite"; }
inline std::string run_in(const std::string& root, std::string_view id) {
  return runs_in(root) + "/" + std::string{id};
}

inline std::string run_being_made(const std::string& root, std::string_view id) {
  return run_in(root, std::string{being_made}.append(id));
}
inline std::string run_being_removed(const std::string& root, std::string_view id) {
  return run_in(root, std::string{being_removed}.append(id));
}
/// Of anything in a directory.
inline std::string inside(std::string directory, std::string_view name) {
  return std::move(directory.append("/").append(name));
}

/// Names within a run's directory.
inline std::string header_in(const std::string& run) { return run + "/header.json"; }
inline std::string stream_in(const std::string& run) { return run + "/stream.jsonl"; }
inline std::string compressed_in(const std::string& run) { return run + "/stream.jsonl.gz"; }
/// 64-bit little-endian numbers: the length of the compressed file, then where each of its members
/// begins, which hold limits::gzip_member_bytes of the stream each. Without it reads begin at the
/// first byte.
inline std::string places_in(const std::string& run) { return run + "/stream.places"; }
inline std::string arrivals_in(const std::string& run) { return run + "/arrivals"; }
inline std::string events_in(const std::string& run) { return run + "/events.jsonl"; }
inline std::string complete_in(const std::string& run) { return run + "/complete"; }
inline std::string archived_in(const std::string& run) { return run + "/archived"; }
/// And of the file that becomes it.
inline constexpr std::string_view rows_name = "rows.gz";
inline std::string rows_in(const std::string& run) { return run + "/" + std::string{rows_name}; }
inline std::string attachments_in(const std::string& run) { return run + "/attachments"; }

}  // namespace tofud::journal
