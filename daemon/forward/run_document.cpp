#include "daemon/forward/run_document.hpp"

#include "protocol/events/run_event.hpp"
#include "protocol/upload/create_request.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace tofud::forward {
namespace {

namespace json = boost::json;

/// Whose names the forwarder's own documents say in another way.
bool is_said_otherwise(std::string_view name) {
  return name == "begin" || name == "exit_status" || name == "end";
}

/// Nothing: what has none is said at the end.
std::optional<std::uint64_t> offset_of(const json::object& event) {
  const auto* offset = event.if_contains("offset");
  json::error_code failed;
  if (offset == nullptr || !offset->is_number()) return std::nullopt;
  const auto number = offset->to_number<std::uint64_t>(failed);
  if (failed) return std::nullopt;
  return number;
}

std::optional<feed::attachment> part_of(const json::object& event) {
  const auto* part = event.if_contains("part");
  if (part == nullptr || !part->is_string()) return std::nullopt;
  const auto& name = part->get_string();
  return feed::parse_attachment(std::string_view{name.data(), name.size()});
}

}  // namespace

std::string post_body(const upload_record& record, const run_facts& facts) {
  return tofud::upload::to_json({facts.id, record.upload_id, record.upload_secret, record.rules,
                                 facts.stack, facts.labels, facts.command, facts.may_ask,
                                 ui::parse_timestamp(record.started_at)});
}

std::vector<run_event> events_to_send(std::string_view events_file, run_is when) {
  std::vector<run_event> events;
  std::optional<std::int64_t> status;
  while (!events_file.empty()) {
    const std::size_t newline = events_file.find('\n');
    if (newline == std::string_view::npos && when == run_is::going_on) break;  // half a line
    const std::string_view line = events_file.substr(0, newline);
    events_file.remove_prefix(std::min(line.size() + 1, events_file.size()));
    json::error_code failed;
    const auto parsed = json::parse(json::string_view{line.data(), line.size()}, failed);
    if (failed || !parsed.is_object()) continue;
    json::object event = parsed.get_object();
    const auto* name = event.if_contains("event");
    if (name == nullptr || !name->is_string()) continue;
    if (name->get_string() == "exit_status") {
      const auto* number = event.if_contains("status");
      if (number != nullptr && number->is_int64()) status = number->get_int64();
    }
    if (is_said_otherwise(name->get_string())) continue;
    const bool is_attachment = name->get_string() == "attachment";
    run_event made{offset_of(event), "", is_attachment ? part_of(event) : std::nullopt};
    if (is_attachment && !made.part) continue;
    event.stable_erase("offset");
    made.fields = json::serialize(event);
    events.push_back(std::move(made));
  }
  if (when == run_is::over && status) {
    events.push_back({std::nullopt, tofud::events::exit_event(*status), std::nullopt});
  }
  return events;
}

}  // namespace tofud::forward
