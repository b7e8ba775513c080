// Streams of runs that are over become gzip files, a slice at a time.
#pragma once

#include "daemon/journal/disk.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tofud::journal {

/// Remembers which runs wait and how far the present one is. Used by the journal's thread only.
class compression {
 public:
  using news = std::function<void(const std::string& run, const text::failure& failure)>;

  /// `told` hears of each run that is compressed, and of failures (a sentence); a run that failed
  /// is tried again when another one is added, and at the next start.
  compression(disk& on, std::string root, news told);
  ~compression();

  /// Stream of a complete run, with its length.
  void add(const std::string& run, std::uint64_t bytes);
  /// The run is removed.
  void drop(const std::string& run);

  /// Some milliseconds of work; false: nothing waits.
  bool step();

 private:
  struct waiting {
    std::string run;
    std::uint64_t bytes;
  };
  struct present;

  text::failure begin();
  text::failure pack();
  text::failure check();
  text::failure finish();
  void end(const text::failure& failure);

  disk& disk_;
  std::string root_;
  news told_;
  std::deque<waiting> waiting_;
  std::vector<waiting> failed_;
  std::unique_ptr<present> present_;
};

}  // namespace tofud::journal
