// Where the daemon's log lines go.
#pragma once

#include "daemon/operations/limits.hpp"
#include "daemon/operations/log_format.hpp"

#include <spdlog/sinks/base_sink.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace tofud::operations {

struct log_options {
  log_format format = log_format::text;
  spdlog::level::level_enum level = spdlog::level::info;
  /// What must not be in a line is replaced here, whoever wrote the line.
  std::function<std::string(std::string_view)> redact = [](std::string_view text) {
    return std::string{text};
  };
};

/// Writes at most limits::log_lines lines of a kind in limits::log_window, and says with the next
/// one how many it left out. Used through spdlog, by any thread.
class log_sink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  using clock = std::chrono::steady_clock;
  /// Takes a line; false: nobody took it, and it counts as left out.
  using writer = std::function<bool(const log_line&)>;

  log_sink(writer to, std::function<std::string(std::string_view)> redact,
           std::function<clock::time_point()> now = clock::now);

  /// Replaces from now on what must not be in a line.
  void redact_with(std::function<std::string(std::string_view)> redact);
  /// To be called now and then: says what was left out of kinds that have fallen silent.
  void tell_left_out();
  /// Lines that were not written so far.
  std::uint64_t left_out() const;

 private:
  struct kind_state {
    log_event kind;
    clock::time_point window{};
    std::uint64_t written = 0, left_out = 0;
    spdlog::level::level_enum worst = spdlog::level::debug;  // of those left out
  };
  void sink_it_(const spdlog::details::log_msg& said) override;
  void flush_() override {}

  writer to_;
  std::function<std::string(std::string_view)> redact_;
  std::function<clock::time_point()> now_;
  std::map<std::string_view, kind_state> kinds_;  // by name
  std::uint64_t left_out_ = 0;
};

/// Makes the default logger one with such a sink, on standard error or to the journal.
std::shared_ptr<log_sink> begin_log(const log_options& options);

}  // namespace tofud::operations
