#include "daemon/wall/lock_info.hpp"

#include "daemon/wall/limits.hpp"
#include "protocol/json/document.hpp"
#include "protocol/text/ascii.hpp"

#include <cstddef>

namespace tofud::wall {
namespace {

constexpr std::string_view heading = "Lock Info:";

/// Takes the text up to the next newline off `rest`.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

/// What Go prints of a time, "2026-11-21 05:17:51.038543393 +0000 UTC". The year 1 is its word for
/// no time at all.
std::optional<ui::time_point> parse_created(std::string_view text) {
  const std::size_t day = text.find(' ');
  if (day == std::string_view::npos) return std::nullopt;
  const std::size_t time = text.find(' ', day + 1);
  if (time == std::string_view::npos || text.size() < time + 6) return std::nullopt;
  const std::string_view zone = text.substr(time + 1, 5);
  std::string rfc3339{text.substr(0, day)};
  rfc3339.append("T").append(text.substr(day + 1, time - day - 1));
  rfc3339.append(zone.substr(0, 3)).append(":").append(zone.substr(3));
  const auto parsed = ui::parse_timestamp(rfc3339);
  if (!parsed || parsed->time_since_epoch().count() <= 0) return std::nullopt;
  return parsed;
}

void take(lock_info& lock, std::string_view field, std::string_view value) {
  const std::string kept{value.substr(0, limits::lock_field_bytes)};
  if (field == "ID") lock.id = kept;
  if (field == "Path") lock.path = kept;
  if (field == "Operation") lock.operation = kept;
  if (field == "Who") lock.who = kept;
  if (field == "Version") lock.version = kept;
  if (field == "Info") lock.info = kept;
  if (field == "Created") lock.created_at = parse_created(value);
}

}  // namespace

bool is_lock_error(std::string_view summary) { return summary == "Error acquiring the state lock"; }

std::optional<lock_info> parse_lock_info(std::string_view detail) {
  // The backend's own message stands before it, and may be anything: the last heading counts.
  const std::size_t start = detail.rfind(heading);
  if (start == std::string_view::npos) return std::nullopt;
  std::string_view rest = detail.substr(start + heading.size());
  next_line(rest);
  lock_info lock;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    const std::size_t colon = line.find(':');
    if (!line.starts_with(' ') || colon == std::string_view::npos) break;
    take(lock, text::trimmed(line.substr(0, colon), " \t\r"),
         text::trimmed(line.substr(colon + 1), " \t\r"));
  }
  return lock;
}

std::optional<lock_info> parse_lock_file(std::string_view text) {
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  if (parser.parse(text)) return std::nullopt;
  const json::value root = parser.root();
  lock_info lock;
  for (const json::value field : root) {
    const auto value = field.string();
    if (!value) continue;
    take(lock, field.key(), *value);
    if (field.key() == "Created") lock.created_at = ui::parse_timestamp(*value);
  }
  if (lock.id.empty()) return std::nullopt;
  return lock;
}

}  // namespace tofud::wall
