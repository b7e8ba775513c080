// Limits of daemon/http, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Connections beyond the limit that are still taken, for uploads and for questions whether the
/// daemon is well: viewers must never be the reason why a run is not recorded.
inline constexpr std::size_t connections_in_reserve = 64;

/// Share of the connections above, as a divisor, for clients that have not shown who they are: they
/// only ask whether the daemon is well, or log in. When it is used up, the one goes that came first
/// of those that ask nothing.
inline constexpr std::size_t unauthenticated_connections_share = 8;

/// Requests of a connection whose client has not shown who it is, in a second: a probe asks once,
/// the login page takes six. Those beyond wait.
inline constexpr unsigned unauthenticated_requests_per_second = 50;

/// Descriptors that no connection gets: journals of some dozen runs, the index, files being read.
/// No more than a quarter of those that there are.
inline constexpr std::size_t descriptors_in_reserve = 1024;

/// The kernel asks a silent peer after this many seconds, then this often and so many times: a
/// stream whose machine is gone is over within two minutes.
inline constexpr int keep_alive_idle_s = 60, keep_alive_every_s = 20, keep_alive_tries = 3;

/// Read of a body at once, where so much is there. Each read is a write and a sync of the journal
/// and two changes of threads: with a quarter of this an upload took a fifth more processor time.
inline constexpr std::size_t body_read_bytes = 256 * kib;

/// Read of one body before other connections get their turn: some hundred microseconds.
inline constexpr std::size_t body_turn_bytes = 512 * kib;

/// Of a refused body, read and forgotten so that the client sees the answer before the close: all
/// of an upload's largest piece, and what the sockets on both sides hold.
inline constexpr std::size_t discarded_bytes = 4 * mib;

/// Letters of a request's method, by which a request is told from a raw stream. The longest
/// registered one has 17.
inline constexpr std::size_t method_bytes = 20;

/// New runs of one token or user: as many as a large matrix of CI jobs starts at once, and then one
/// a second. More would push the runs of others out of what is kept.
inline constexpr std::size_t new_runs_at_once = 500;
inline constexpr std::chrono::seconds new_run_every{1};
/// A sender may wish for the id of a run. It begins with a minute, which is taken if it is not
/// further than this ahead of now: clocks of runners are off by a time zone, not by years.
inline constexpr std::chrono::hours wished_id_apart{24};
/// What a reader is told to wait while the daemon holds as much memory as it may: idle runs go
/// within a second, a client that takes its answer is done in a few.
inline constexpr std::chrono::seconds memory_again{5};
/// What a forwarder is told to wait when there are too many.
inline constexpr std::chrono::seconds retry_after{10};

}  // namespace tofud::limits
