// What a daemon answers to a forwarder: written by the one, and read by the other with the
// suspicion due to anything from outside.
#pragma once

#include "protocol/feed/forecast.hpp"
#include "protocol/upload/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::upload {

/// The answer to POST /v1/runs.
struct granted_run {
  std::string run, url;  // no url: the run has no page
  std::uint64_t offset = 0;
  std::size_t max_patch = 0;
  std::chrono::seconds keepalive{};
  /// How long operations of the run's stack usually take, the slowest; for a sender that remembers
  /// nothing itself.
  std::vector<feed::address_usual> usual = {};
  bool operator==(const granted_run&) const = default;
};

/// One line of JSON; of `usual` as much as limits::stack_usual_bytes holds.
std::string to_json(const granted_run& granted);

/// Nothing if it is no such answer. Numbers are brought within what is sensible.
std::optional<granted_run> parse_granted(std::string_view body);

/// `Retry-After` in seconds, at most limits::retry_after_longest; nothing for a date.
std::optional<std::chrono::milliseconds> retry_after_in(std::string_view header);

/// `code` of an error body; empty if there is none.
std::string code_in(std::string_view body);

/// " (409: MESSAGE)": the status, and what the error body says, in one line of plain characters.
std::string said_by(unsigned status, std::string_view body);

}  // namespace tofud::upload
