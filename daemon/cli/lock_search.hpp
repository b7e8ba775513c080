// Where `tofud recover` looks for the lock that a run may have left behind.
#pragma once

#include "daemon/cli/recovery/recovered_lock.hpp"
#include "daemon/cli/recovery/recovered_stream.hpp"
#include "daemon/cli/run_argument.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tofud::cli {

/// What somebody gives. Empty: it is looked for.
struct lock_arguments {
  std::string file;    // of a backend
  std::string stream;  // of a run that met the lock, as RUN
};

/// The run that may have left it, and what there is beside it.
struct lock_place {
  const recovery::recovered_stream& stream;
  const correlator::run_state& run;
  std::string spool;            // empty: the stream is at a daemon
  std::filesystem::path state;  // empty: it is in no file
};

/// Into `found` comes what somebody gives; else what stands beside the state; else what a later run
/// says that met the lock, of the same stream or of the newest streams of the same stack that are
/// kept here. False if what was given can't be taken, which is said on stderr.
bool find_lock(const lock_arguments& given, const run_argument& search, const lock_place& place,
               std::optional<recovery::found_lock>& found);

}  // namespace tofud::cli
