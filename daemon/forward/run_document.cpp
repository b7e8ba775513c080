#include "daemon/forward/run_document.hpp"

#include "protocol/events/event.hpp"
#include "protocol/upload/create_request.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace tofud::forward {
namespace {

namespace json = boost::json;

/// What the document of the run says, and what the upload itself says.
bool is_said_otherwise(const events::body& said) {
  return std::holds_alternative<events::begin>(said) ||
         std::holds_alternative<events::exit_status>(said) ||
         std::holds_alternative<events::end>(said);
}

/// The same event without its offset, which the sender adds; always with the same bytes.
std::string fields_of(std::string_view line) {
  json::error_code failed;
  json::value event = json::parse(json::string_view{line.data(), line.size()}, failed);
  if (failed || !event.is_object()) return "{}";
  event.get_object().stable_erase("offset");
  return json::serialize(event);
}

}  // namespace

std::string post_body(const upload_record& record, const run_facts& facts) {
  return tofud::upload::to_json({facts.id, record.upload_id, record.upload_secret, record.rules,
                                 facts.stack, facts.labels, facts.command, facts.may_ask,
                                 facts.parallelism, ui::parse_timestamp(record.started_at)});
}

std::vector<sent_event> events_to_send(std::string_view events_file, run_phase when) {
  std::vector<sent_event> events;
  std::optional<int> status;
  while (!events_file.empty()) {
    const std::size_t newline = events_file.find('\n');
    if (newline == std::string_view::npos && when == run_phase::open) break;  // half a line
    const std::string_view line = events_file.substr(0, newline);
    events_file.remove_prefix(std::min(line.size() + 1, events_file.size()));
    const auto said = events::parse(line);
    if (!said) continue;
    if (const auto* exit = std::get_if<events::exit_status>(&said->what)) status = exit->status;
    if (is_said_otherwise(said->what)) continue;
    sent_event made{said->offset, fields_of(line), std::nullopt};
    if (const auto* attached = std::get_if<events::attachment>(&said->what))
      made.part = attached->part;
    events.push_back(std::move(made));
  }
  if (when == run_phase::over && status)
    events.push_back({std::nullopt, events::sent_exit(*status), std::nullopt});
  return events;
}

}  // namespace tofud::forward
