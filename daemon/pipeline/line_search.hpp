// What is found in a stream on its way to one client: found as fast as the loop allows, then sent
// as fast as the client takes it.
#pragma once

#include "daemon/pipeline/stream_search.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tofud::pipeline {

/// The fold that finds the lines is as large as the run, so it is not to last as long as a client
/// reads: the lines go to a file without a name, and the fold goes when the stream is through. One
/// search folds at a time.
class line_search {
 public:
  using turn_taker = std::function<std::shared_ptr<const void>()>;

  line_search(std::function<std::unique_ptr<stream_search>()> begin, turn_taker take_turn);
  ~line_search();
  line_search(const line_search&) = delete;
  line_search& operator=(const line_search&) = delete;

  /// As http::response::pieces: appends lines, or nothing while it folds or waits for its turn;
  /// false: there are no more. Throws std::runtime_error if the lines can't be kept.
  bool next(std::string& out);
  /// How soon it is to be asked again when there was nothing.
  static constexpr std::chrono::milliseconds again{1};

 private:
  void fold();
  void put(const std::string& lines);

  std::function<std::unique_ptr<stream_search>()> begin_;
  turn_taker take_turn_;
  std::shared_ptr<const void> turn_;
  std::unique_ptr<stream_search> search_;
  bool found_all_ = false;
  int file_ = -1;
  std::uint64_t written_ = 0, sent_ = 0;
};

}  // namespace tofud::pipeline
