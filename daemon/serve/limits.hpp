// Limits of daemon/serve, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// When a daemon restarts its viewers come back within this long, not all at once.
inline constexpr std::chrono::milliseconds restart_spread{3'000};

/// Attachments that wait for the one thread of a daemon that reads them; senders come again.
inline constexpr std::size_t attachments_waiting = 8;

/// A run's description and one event: a stack, labels, a few words.
inline constexpr std::size_t described_run_bytes = 64 * kib;

/// Events of a run: labels, plan files, the exit. A person gives some, a loop gone wild more.
inline constexpr std::size_t events_per_run = 1000;

/// Two forwarders of one run: the second waits for the first so long.
inline constexpr std::chrono::seconds busy_wait{5};
/// A body that stands still so long is given up; its forwarder comes again.
inline constexpr std::chrono::seconds patch_stalled_after{15};

/// Finished runs in memory, and how long one stays there that nobody looks at.
inline constexpr std::size_t loaded_runs = 32;
inline constexpr std::chrono::minutes unloaded_after{5};

/// Streams of so many bytes and more have their rows kept beside them: a shorter one is folded
/// again in some twenty milliseconds.
inline constexpr std::uint64_t rows_kept_from = 16 * mib;
/// Such a file, and what it unpacks to: those of 100,000 resources are 7 and 29 MB.
inline constexpr std::uint64_t kept_rows_bytes = 256 * mib, unpacked_rows_bytes = 1024 * mib;

/// The newest lines of a run's logs that are kept with them. Older ones are read from the stream.
inline constexpr std::size_t kept_lines_bytes = 4 * mib;

/// A line that is longer, in a stream that comes as it is, is redacted beside the loop.
inline constexpr std::size_t redacted_beside = 1 * mib;

/// Resources whose durations are gathered in one turn of the loop when a run is over.
inline constexpr std::size_t history_rows = 4096;

/// Resources that are settled in one turn of the loop at the end of a run: of a million that were
/// planned, when it broke off.
inline constexpr std::size_t settled_per_turn = 4096;

/// What a fold takes in memory is looked at each time it has grown by so much of its stream, and
/// once a second.
inline constexpr std::uint64_t weighed_every = 1 * mib;

/// A run that was being folded when the daemon died so often is not folded at its start any more.
inline constexpr unsigned fold_deaths = 2;

/// How often it is looked for runs that were kept long enough.
inline constexpr std::chrono::minutes retain_every{10};

/// Finished runs on the wall: some weeks of a busy team. The others are found by searching.
inline constexpr std::size_t wall_runs = 500;

/// Of a path that was refused, in the audit file: more than any of ours, less than a line.
inline constexpr std::size_t audited_path_bytes = 256;

/// Walls of those who see some stacks, a team each; every change of a run asks each of them.
inline constexpr std::size_t walls = 100;
/// What such a wall takes for each run that it knows: ten walls of 10,000 runs took 9 MB each.
inline constexpr std::size_t wall_run_bytes = 1000;
/// A wall that nobody looks at stays that long if there are too many: a page without a script asks
/// for it again and again.
inline constexpr std::chrono::minutes unwatched_wall_age{1};
/// Of the loop at a time, for one that is being filled.
inline constexpr std::chrono::milliseconds wall_turn{5};

// ---- what the runs of a stack mean together ------------------------------------------------

/// A token that goes with what was opened by it; the file is looked at this often, which is a
/// stat(2).
inline constexpr std::chrono::milliseconds tokens_looked_at_every{500};

/// Of one turn of the loop, for looking whether somebody is to be told of runs that go on.
inline constexpr std::chrono::milliseconds told_turn{5};
/// Runs that began earlier are no news when they are read again: nobody applies for a month.
inline constexpr std::chrono::hours told_oldest_run{30 * 24};

/// Stacks that metrics name, if metrics.stacks asks for it: four series each, which a Prometheus
/// keeps for weeks. Those beyond it are counted.
inline constexpr std::size_t metrics_stacks = 1000;
/// Of such a name: longer ones are cut, since each series repeats them.
inline constexpr std::size_t metrics_name_bytes = 200;

/// Ids that are tried for a run until no other daemon has a run of that id: two are drawn alike
/// once in 65,536 of a minute.
inline constexpr std::size_t shared_id_tries = 8;
/// How often daemons of a cluster tell whose senders they hear: a screen shows within two seconds
/// that one is silent.
inline constexpr std::chrono::milliseconds heard_told_every{1'000};
/// Runs that one such message names.
inline constexpr std::size_t heard_at_once = 5'000;
/// A daemon that was not heard of for so long is gone: what it took in, and nobody can send again,
/// is ended. Longer than most cuts of a network last, since what comes there meanwhile would be on
/// that machine only.
inline constexpr std::chrono::seconds member_gone_after{60};
/// Daemons that are remembered by name: nobody runs so many.
inline constexpr std::size_t members_known = 256;
/// What could not be made or read in NATS is tried again.
inline constexpr std::chrono::milliseconds cluster_again_after{1'000};
/// A daemon that starts waits so long for what the others know, before it says that it is ready.
inline constexpr std::chrono::seconds cluster_waited_for{10};
/// Which daemon began which upload is kept in NATS for so long; nobody resumes an older one. The
/// durations of its operations are, for a daemon that joins; what is older foretells little.
inline constexpr std::chrono::hours upload_claimed_for{90 * 24};
inline constexpr std::chrono::hours history_told_for{180 * 24};
/// That a run was removed is told for so long: a daemon that comes back later tells of it anew.
inline constexpr std::chrono::hours removal_told_for{90 * 24};
/// Such marks that are taken out of NATS at once.
inline constexpr std::size_t marks_cleared_at_once = 100;

/// What one daemon does for all is looked at in every so manieth second.
inline constexpr std::uint64_t once_looks_every = 10;
/// Runs that are removed at once for want of room in NATS.
inline constexpr std::size_t room_made_at_once = 20;

/// Whoever comes from a daemon that was further waits so long for this one, before he has to begin
/// anew.
inline constexpr std::chrono::milliseconds wall_waited_for{2'000};

/// How often the file of tokens is compared with what others have: one that is revoked is to be so
/// everywhere within a second.
inline constexpr std::chrono::milliseconds tokens_shared_every{300};

/// Of what is told of a run's durations at once: fits into a message of NATS.
inline constexpr std::size_t history_piece_bytes = 400 * kib;

/// Copies of other daemons' runs are counted in every so manieth second.
inline constexpr std::uint64_t copies_looked_at_every = 5;

}  // namespace tofud::limits
