// Limits of daemon/exports, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Rows and lines in a report, before `<` is written longer: forty thousand resources with their
/// logs, and a browser still reads it in a second or two.
inline constexpr std::size_t report_bytes = 32 * mib;

/// Of a plan whose changes are in the report of its run, and of those changes; and the time to draw
/// them: a report is written before tofud ends, and somebody waits for that. Beyond one of these
/// the report has no plan.
inline constexpr std::size_t report_plan_bytes = 8 * mib;
inline constexpr std::chrono::seconds report_plan_time{2};

/// Of a verdict: what a program that has asked many questions reads without a thought, and of each
/// list in it; and of one text, so that five failures of all they may have fit.
inline constexpr std::size_t verdict_bytes = 4 * kib;
inline constexpr std::size_t verdict_items = 5;
inline constexpr std::size_t verdict_text_bytes = 200;

/// Spans in one request: what OpenTelemetry's own programs send at once (the batch span processor).
inline constexpr std::size_t otlp_spans = 512;
/// Of one text in a span: backends cut names and messages at about that.
inline constexpr std::size_t otlp_text_bytes = 1'000;
/// Errors of a run that are events of its span; each failed operation has its own besides.
inline constexpr std::size_t otlp_errors = 50;

}  // namespace tofud::limits
