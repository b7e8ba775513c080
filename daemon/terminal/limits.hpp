// Limits of daemon/terminal, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Text waiting for a terminal that takes none; beyond it whole lines are left out and counted.
inline constexpr std::size_t terminal_queue_bytes = 4 * mib;
/// After lines were written, those that come next are gathered for so long: a stream that is read
/// from a file would wake the writer for each.
inline constexpr std::chrono::milliseconds lines_gathered_for{2};

/// Of the newest line of a provisioner, and of an address, kept for the live block: more than any
/// terminal is wide.
inline constexpr std::size_t shown_line_bytes = 1 * kib;

/// Finished resources told one by one in a second of the stream, on a terminal. Those beyond it are
/// counted: nobody reads faster, and a scrollback has a few thousand lines.
inline constexpr std::size_t told_per_second = 20;

/// Between two frames on a terminal: ten a second look smooth and cost nothing.
inline constexpr std::chrono::milliseconds frame_every{100};

/// What usually takes less is over before anybody reads how long it takes.
inline constexpr std::chrono::seconds usual_told{5};

/// How often a plain log says how far refreshing and planning are. A job that prints nothing for
/// minutes gets killed by some CI systems, one that prints a line per resource floods its log.
inline constexpr std::chrono::seconds count_every{10};

/// GitHub shows ten errors and ten warnings of a step and drops the others.
inline constexpr std::size_t annotations = 10;

/// Errors in the section of a GitLab job: the log above has all of them, drawn.
inline constexpr std::size_t errors_listed = 100;

/// Text of an annotation. GitHub shows it in a box beside the code; the log has all of it.
inline constexpr std::size_t annotation_bytes = 4 * kib;

/// Errors and warnings of a plan that are sorted before they are printed: more than anybody reads.
/// Those beyond come in a group of their own.
inline constexpr std::size_t diagnostics_printed_together = 1000;

/// GitHub takes no larger step summary and shows nothing at all of one that is.
inline constexpr std::size_t step_summary_bytes = 1 * mib;

/// Steps that run while it is said what the others wait for: with more under way nobody asks.
inline constexpr std::size_t waiting_told = 3;

}  // namespace tofud::limits
