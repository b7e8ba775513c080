// Refusals of the upload, as its senders read them.
#pragma once

#include "daemon/http/message/response.hpp"
#include "daemon/serve/ingested_run.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/live_runs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::serve {

/// 204 with how far the journal has come.
http::response acknowledged(const ingested_run& run);

/// 409 with a word that a forwarder acts on: conflict, diverged (`at`: the first byte that
/// differs), gap, busy, complete, order, event. With how far the journal has come.
http::response conflict(std::string_view code, std::string_view message,
                        const ingested_run* run = nullptr, std::optional<std::uint64_t> at = {});

/// 507: the disk refused, nothing has changed.
http::response no_room(const ingested_run* run, std::string_view failure);

/// 503: the daemon is about to go, and senders are to come again.
http::response restarting();
/// It is no fault of who asks: he may ask again.
http::response not_now(const std::string& why);

/// 429 for a run that would be one too many, and why; nothing: there is room. Counts refusals.
std::optional<http::response> refuse_one_more(live_runs& among, const std::string& sender,
                                              const std::string& name);

/// 503 for a run for which there is no memory, as `why` says; nothing: it is empty.
std::optional<http::response> refuse_for_memory(const std::string& why);

/// Why the rows of a run can't be had now; nothing: they can.
std::optional<http::response> why_not_shown(const kept_streams& runs, const ingested_run& run);

/// 403 for a stack whose runs he may not send; nothing: he may.
std::optional<http::response> refuse_stack(const access::principal& by, std::string_view stack);

http::response no_such_run(std::string_view id);
/// To who sent what could not be stored, whether here or where several daemons share runs.
http::response not_stored(const ingested_run& run, const text::failure& why);
http::response was_removed(std::string_view id);

}  // namespace tofud::serve
