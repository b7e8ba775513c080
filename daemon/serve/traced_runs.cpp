#include "daemon/serve/traced_runs.hpp"

#include "daemon/access/principal.hpp"
#include "protocol/events/event.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace tofud::serve {
namespace {

using telemetry::exporter;

std::optional<events::trace_parent> parent_of(const ingested_run& stream) {
  for (const events::event& each : stream.parsed_events()) {
    if (const auto* said = std::get_if<events::trace_parent>(&each.what)) return *said;
  }
  return {};
}

std::optional<exporter::read_run> read_now(
    const kept_streams& runs, const std::string& run,
    const std::function<std::string(const std::string&)>& page) {
  const auto stream = runs.find(run, access::own_user());
  const auto found = runs.shown().readable(run, access::own_user());
  if (!stream || !found) return {};
  return exporter::read_run{&found->run->state, found->run->view(), found->keeps,
                            parent_of(*stream), page(run)};
}

}  // namespace

decltype(exporter::options::read) traced_runs(
    kept_streams& runs, std::function<std::string(const std::string& run)> page) {
  return [&runs, page = std::move(page)](
             const std::string& run, std::function<void(std::optional<exporter::read_run>)> done) {
    const auto stream = runs.find(run, access::own_user());
    if (!stream || stream->is_loaded()) return done(read_now(runs, run, page));
    const bool is_refused =
        !runs.why_unreadable(stream->id()).empty() || !runs.why_no_room_for(stream->id()).empty();
    if (is_refused) return done({});
    runs.load(stream->id(),
              [&runs, page, run, done = std::move(done)] { done(read_now(runs, run, page)); });
  };
}

}  // namespace tofud::serve
