// The spools that are kept, and the one that somebody means.
#pragma once

#include "daemon/spool/spool_place.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tofud::spool {

struct kept_run {
  std::string id;
  std::string path;  // of ID.jsonl
  std::uint64_t bytes = 0;
  /// When the spool was made; where the file system does not say, its last byte.
  std::chrono::system_clock::time_point began;
};

/// Newest first: in `state_dir`, or if that is empty in every place where a run may have found room
/// (spool_place.hpp). Makes no directory; places that can't be read hold nothing, but for
/// `state_dir`.
text::result<std::vector<kept_run>> kept_runs(const std::string& state_dir, const environment& env);

/// "ID.2" is run 2 of the stream ID; any other text has no part.
struct id_and_part {
  std::string id, part;
};
id_and_part taken_apart(const std::string& text);

/// "'2026' is the beginning of 3 runs (…); give more of it".
text::failure too_many_runs(const std::string& text, const std::vector<std::string>& ids);

/// A stream, and which of its runs: a stream of several has ID, ID.2, ID.3 …
struct chosen_run {
  std::string path;
  std::string only;  // id of a run in it; empty: all of them
};

/// Finds what `text` means: `last`, a file (with a `/` in it, or one that is there), the id of a
/// run or the unique beginning of one, with `.N` for run N of its stream.
text::result<chosen_run> choose_run(const std::string& text, const std::string& state_dir,
                                    const environment& env);

}  // namespace tofud::spool
