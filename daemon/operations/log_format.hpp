// A log line as bytes: for people, for programs, for the journal.
#pragma once

#include "daemon/operations/log_event.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::operations {

enum class log_format : std::uint8_t { text, json, journal };

/// `text`, `json`, `journal`. Nothing: it is none of them.
std::optional<log_format> parse_log_format(std::string_view word);
/// `debug`, `info`, `warning`, `error`. Nothing: it is none of them.
std::optional<spdlog::level::level_enum> parse_log_level(std::string_view word);
std::string_view name(spdlog::level::level_enum level);

/// journal if `stream` (JOURNAL_STREAM, null: not set) names what descriptor `fd` is connected to,
/// else text.
log_format format_for(const char* stream, int fd);

struct log_line {
  std::chrono::system_clock::time_point at;
  spdlog::level::level_enum level = spdlog::level::info;
  log_event kind;
  std::string_view text, run, peer;
  std::uint64_t left_out = 0;  // lines of this kind that were not written before this one
};

/// One line each, with its newline. Control characters of the text are escaped, so that a line
/// stays a line and never moves a terminal's cursor; in JSON what is no UTF-8 becomes U+FFFD.
std::string as_text(const log_line& line);
std::string as_json(const log_line& line);
/// `NAME=value`; what is empty is left out.
std::vector<std::string> as_journal_fields(const log_line& line);

}  // namespace tofud::operations
