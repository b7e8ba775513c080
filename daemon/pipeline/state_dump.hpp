// A state that OpenTofu could save nowhere but in the stream.
#pragma once

#include "daemon/correlator/row_sink.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::pipeline {

/// The `state` member of a line; nothing if it has none.
std::optional<std::string> state_in(std::string_view line);

/// Where `keep_state_dump` writes.
std::string state_dump_path(const std::string& spool_path);

/// Writes `text`, a state, to a file that only its user can read. False if that failed.
bool write_state(const std::string& path, std::string_view text);

/// Writes the `state` member of a line to `SPOOL.state.json` (0600) beside the spool. Returns the
/// file's path, or nothing if there was no state or no place.
std::string keep_state_dump(std::string_view line, const std::string& spool_path);

/// Keeps the state that OpenTofu could not save.
class state_keeper final : public correlator::row_sink {
 public:
  /// `say` is given a sentence that says where the state is.
  state_keeper(std::string spool_path, std::function<void(std::string_view)> say)
      : spool_path_{std::move(spool_path)}, say_{std::move(say)} {}

 private:
  void state_dump(correlator::run_state& run, std::string_view line) override;

  std::string spool_path_;  // empty: in memory
  std::function<void(std::string_view)> say_;
};

}  // namespace tofud::pipeline
