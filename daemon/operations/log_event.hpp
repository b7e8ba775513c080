// Kinds of log lines. Every room logs with these and spdlog's default logger; log_sink.hpp says
// what becomes of the lines.
#pragma once

#include <spdlog/spdlog.h>

#include <exception>
#include <string_view>
#include <utility>

namespace tofud::operations {

/// Lines of one kind share a bound on how many are written. `message_id` is systemd's MESSAGE_ID:
/// `journalctl MESSAGE_ID=…` finds all lines of that kind, of every version of tofud.
struct log_event {
  std::string_view name, message_id;
};

namespace events {
/// A connection ended by a fault, or could not be accepted.
inline constexpr log_event connection_failed{"connection_failed",
                                             "3be23e7993ea4bd1b8acb8eaba33ea07"};
/// A subscriber's session ended by a fault.
inline constexpr log_event session_failed{"session_failed", "c9508110379f4754bf7ee833ee064145"};
/// A fault of tofud; the daemon goes on.
inline constexpr log_event fault{"fault", "9f0e8b23655a4dfc99b0c085229d0e34"};
/// One turn of the loop took long, and everybody waited.
inline constexpr log_event loop_held{"loop_held", "eb5b0554326f41658ea49ba6b5bcd5fb"};
/// The disk refuses a run's bytes.
inline constexpr log_event history_stands_still{"history_stands_still",
                                                "7cba04673ae8438399e769a6c3f1b4a1"};
/// It takes them again.
inline constexpr log_event history_goes_on{"history_goes_on", "deef12b9437a44e09c229dded3c76e77"};
/// The journal, its index or its removals.
inline constexpr log_event journal_trouble{"journal_trouble", "44ccac27bbeb4454abfdc40bf117fc2f"};
/// What was found about a run at the start.
inline constexpr log_event run_remark{"run_remark", "22b5a414267f41c7b36d1656c1615284"};
/// A stream is neither kept nor shown, or broke off by a fault.
inline constexpr log_event stream_lost{"stream_lost", "3365a16518ea49fe9986667a86c7b53e"};
/// Runs were kept long enough.
inline constexpr log_event runs_retired{"runs_retired", "bba1369b18ed4fefabb1a1a793a1c92a"};
/// The daemon begins to serve, reloads, stops.
inline constexpr log_event life_cycle{"life_cycle", "f3f376d8d36f403aa22202be52844b75"};
/// Ended runs that go to the archive, or do not.
inline constexpr log_event archive{"archive", "c47a1d7f0e5b4a9a8e0a2c1c6f3d5b92"};
/// Ended runs that a collector of telemetry does not take.
inline constexpr log_event telemetry{"telemetry", "7d1c0f5a2b1e4e6f9a5b8e34c0c2a6d1"};
/// Other daemons, and what is shared with them.
inline constexpr log_event cluster{"cluster", "2f6b8d0e4c7a4b1f9d3e5a7c9b1d3f57"};
/// Who did what, if audit.file is set.
inline constexpr log_event audit{"audit", "4b3011a624c24e39a8c46c87dfb1c81e"};
/// Everything else.
inline constexpr log_event other{"other", "b7475bb6866a4b4c84a708c8373f2cb1"};
}  // namespace events

/// What a line is about, besides its text. Empty: nothing.
struct log_fields {
  std::string_view run;   // its id
  std::string_view peer;  // an address, or a user of this machine
};

/// What the line that is being written is about. The loggers are synchronous: a sink that is called
/// on this thread finds it here.
struct log_context {
  const log_event* kind = &events::other;
  log_fields about;
};
inline thread_local log_context current_log_context;

/// Logs one line of that kind. A fault in doing so is nobody's trouble.
template <class... Args>
void log(const log_event& kind, spdlog::level::level_enum level, log_fields about,
         spdlog::format_string_t<Args...> text, Args&&... args) noexcept {
  const auto before = std::exchange(current_log_context, {&kind, about});
  try {
    spdlog::log(level, text, std::forward<Args>(args)...);
  } catch (const std::exception&) {  // nowhere left to say it
  }
  current_log_context = before;
}

template <class... Args>
void log_info(const log_event& kind, log_fields about, spdlog::format_string_t<Args...> text,
              Args&&... args) noexcept {
  log(kind, spdlog::level::info, about, text, std::forward<Args>(args)...);
}
template <class... Args>
void log_warning(const log_event& kind, log_fields about, spdlog::format_string_t<Args...> text,
                 Args&&... args) noexcept {
  log(kind, spdlog::level::warn, about, text, std::forward<Args>(args)...);
}
template <class... Args>
void log_error(const log_event& kind, log_fields about, spdlog::format_string_t<Args...> text,
               Args&&... args) noexcept {
  log(kind, spdlog::level::err, about, text, std::forward<Args>(args)...);
}

}  // namespace tofud::operations
