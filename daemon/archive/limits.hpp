// Limits of daemon/archive, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// How often runs are looked for that have ended since: they are compressed in the meantime.
inline constexpr std::chrono::minutes archive_looks_every{1};
/// So long after a run's end it is looked for: a stream of usual size is compressed by then.
inline constexpr std::chrono::seconds archive_looks_after_end{2};
/// How often it is looked whether runs are still as they were archived. One that was given up may
/// go on after all; that is rare, and a look asks the disk some ten times for each run.
inline constexpr std::chrono::hours archive_compares_every{1};
/// A stream that is not compressed so long after its end, for want of room on the disk, is archived
/// as it is.
inline constexpr std::chrono::hours archive_waits_for_compression{1};

/// After a failure the archive is left alone for so long, twice as long after each further one, at
/// most for archive_rests_longest.
inline constexpr std::chrono::seconds archive_rests_first{15};
inline constexpr std::chrono::minutes archive_rests_longest{30};

/// Retention by age and number waits so long for an archive that takes nothing: as long as whoever
/// can mend it may be on holiday. Retention by bytes does not wait.
inline constexpr std::chrono::hours archive_waited_for{14 * 24};

/// A bucket has so long to take a connection, and may stand still so long within a request.
inline constexpr std::chrono::seconds bucket_connect_wait{10};
inline constexpr std::chrono::seconds bucket_stalled_after{60};
/// Of a bucket's answer that is read: its errors have less than one KiB.
inline constexpr std::size_t bucket_answer_bytes = 16 * kib;
/// Of what a bucket says that is shown: a sentence.
inline constexpr std::size_t bucket_words_bytes = 200;
/// Of the prefix of a bucket's objects: a key has 1024 at most, and ours follows.
inline constexpr std::size_t bucket_prefix_bytes = 512;
/// A bucket takes no larger object in one request (Amazon S3: 5 GiB).
inline constexpr std::uint64_t bucket_object_bytes = 5 * gib;
/// Of a file of credentials that is read: three lines, one of them a token of some kilobytes.
inline constexpr std::size_t credentials_bytes = 64 * kib;
/// Of the file that says what of a run is archived: a hundred bytes for each of its files.
inline constexpr std::size_t archived_mark_bytes = 64 * kib;

}  // namespace tofud::limits
