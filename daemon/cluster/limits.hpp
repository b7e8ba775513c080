// Limits of daemon/cluster, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// NATS servers that somebody may name: a cluster has three or five, and tells of the others.
inline constexpr std::size_t nats_servers = 32;

/// Of a cluster's name: streams, subjects and buckets begin with it.
inline constexpr std::size_t cluster_name_bytes = 32;

/// Of one record of a run: half of what a NATS server takes unless it is told otherwise (1 MiB), so
/// that headers and the JSON of its own answers fit beside it.
inline constexpr std::size_t record_bytes = 512 * kib;
/// What a server has to take for that: records, and the cards of runs in JSON.
inline constexpr std::size_t nats_message_bytes = 640 * kib;

/// A connection has so long to be made, and an answer to come. Longer than an election of a leader
/// among NATS servers takes, as a rule.
inline constexpr std::chrono::milliseconds nats_connect_wait{2'000};
inline constexpr std::chrono::milliseconds nats_answer_wait{5'000};
/// Whoever begins a run waits so long for NATS to know it; he may be an apply.
inline constexpr std::chrono::milliseconds open_wait{1'000};
/// A server that takes nothing for so long is gone.
inline constexpr std::chrono::milliseconds nats_write_wait{5'000};
/// So often a silent connection is looked at; it is gone when two looks are not answered.
inline constexpr std::chrono::milliseconds nats_ping_every{2'000};
/// Between tries to connect.
inline constexpr std::chrono::milliseconds nats_connect_again{500};

/// Of what came and was not looked at yet, by one connection: beyond it messages are dropped, and
/// whoever misses some asks for them again.
inline constexpr std::size_t nats_waiting_bytes = 64 * mib;

/// What a reader of a stream asks for at once: what the loop can take between two other things.
inline constexpr std::size_t read_messages = 256;
inline constexpr std::size_t read_at_once_bytes = 2 * mib;
/// How long such a request stands, and how often the server says meanwhile that it still knows.
inline constexpr std::chrono::seconds read_stands{30};
inline constexpr std::chrono::seconds read_heartbeat{2};
/// Within this time a reader sees that the connection is another one.
inline constexpr std::chrono::milliseconds reconnect_seen_after{500};
/// A reader that got nothing for so long looks whether there is something; then less and less
/// often, since most of what is followed stands still.
inline constexpr std::chrono::milliseconds reader_doubts_first{5'000};
inline constexpr std::chrono::milliseconds reader_doubts_last{60'000};
/// A reader that has gone without a word is forgotten by the server after this time.
inline constexpr std::chrono::seconds reader_forgotten_after{60};

/// What is done to one run's log waits so long for what is done to it already: a patch of some
/// records, each as long as an answer may take.
inline constexpr std::chrono::milliseconds log_turn_wait{30'000};
/// After a failure a run is followed again.
inline constexpr std::chrono::milliseconds follow_again_after{500};
/// Of a document that is attached to a run: what the routes take (attached_plan_bytes) at most.
inline constexpr std::size_t shared_document_bytes = 256 * mib;

/// A lease ends so long after it was renewed: what one daemon does for all stands still that long
/// when it is gone. It is renewed four times within that, and given up after two thirds.
inline constexpr std::chrono::seconds lease_time{12};

/// So often a daemon compares its clock with JetStream's: clocks drift slowly, and are set seldom.
inline constexpr std::chrono::minutes server_clock_looked_every{10};
/// A machine's clock that has jumped by this was set: it is compared at once.
inline constexpr std::chrono::seconds clock_set_from{1};
/// It is wrong when they differ by more: lists and pages show ages by the minute.
inline constexpr std::chrono::seconds clock_wrong_beyond{60};

}  // namespace tofud::limits
