// Limits of daemon/telemetry, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Ended runs that wait to be sent, by their ids: an hour of a busy company. More are let go of.
inline constexpr std::size_t otlp_runs_waiting = 1'000;
/// Of the spans of one run, which are in memory while they are sent: those of forty thousand
/// resources. The rest is counted.
inline constexpr std::size_t otlp_run_bytes = 32 * mib;
/// Rows of it that are copied in one turn of the loop: a millisecond.
inline constexpr std::size_t otlp_rows_at_once = 2'000;
/// Series of metrics, by stack and result; beyond them stacks share one.
inline constexpr std::size_t otlp_series = 2'000;
/// Between two requests with metrics, while anything changes: OTEL_METRIC_EXPORT_INTERVAL's own.
inline constexpr std::chrono::seconds otlp_metrics_every{60};

/// For one answer, unless OTEL_EXPORTER_OTLP_TIMEOUT says otherwise.
inline constexpr std::chrono::milliseconds otlp_wait{10'000};
inline constexpr std::chrono::milliseconds otlp_longest_wait{60'000};
/// Of an answer: the counts of what was refused, and why.
inline constexpr std::size_t otlp_answer_bytes = 64 * kib;
/// Of what it says there that is logged: a sentence.
inline constexpr std::size_t otlp_words_bytes = 200;
/// A run is let go of when a request of it was refused or lost so often.
inline constexpr unsigned otlp_tries = 5;
/// After the first failure in a row, doubled with each, and what a collector may ask for.
inline constexpr std::chrono::seconds otlp_again_first{1};
inline constexpr std::chrono::seconds otlp_again_longest{120};

/// Of a variable's text: headers and attributes of a service are a few words.
inline constexpr std::size_t otlp_variable_bytes = 16 * kib;

}  // namespace tofud::limits
