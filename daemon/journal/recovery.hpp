// Finds out what of each run is to be trusted after a stop at any point.
#pragma once

#include "daemon/journal/disk.hpp"
#include "daemon/journal/kept_run.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tofud::journal {

struct recovered {
  std::vector<kept_run> runs;        // newest first
  std::vector<std::string> remarks;  // sentences about what is no run
};

/// Reads headers, events, sizes and the ends of files, never a whole stream; finishes what a crash
/// left half done and cuts torn tails, so that `bytes` of every run are on disk. Of a stream that
/// is not complete it keeps what was acknowledged, and behind it whole lines without NUL bytes
/// (which a file system shows where a write never arrived). What is not understood is left alone.
/// It has some threads for many runs; one of them, or this one, does `meanwhile` as well.
recovered recover_runs(
    disk& on, const std::string& root, const std::function<void()>& meanwhile = [] {});

/// How many threads help with so many runs at a start.
std::size_t recovery_helpers(std::size_t runs);

/// Bytes of all files in a directory and below.
std::uint64_t bytes_in(disk& on, const std::string& directory);

/// All arrivals of a run, oldest first; what is no record is passed over.
std::vector<arrival> read_arrivals(disk& on, const std::string& run_directory);

}  // namespace tofud::journal
