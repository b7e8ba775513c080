#include "daemon/journal/kept_run.hpp"

#include "protocol/json/members.hpp"

#include <algorithm>

namespace tofud::journal {
namespace {

namespace json = boost::json;

std::optional<std::uint64_t> number_at(const json::object& object, const char* key) {
  const json::value* found = object.if_contains(key);
  if (found == nullptr) return std::nullopt;
  json::error_code failed;
  const auto number = found->to_number<std::uint64_t>(failed);
  if (failed) return std::nullopt;
  return number;
}

/// {"NAME":number,"at":"time"}
std::string pair_text(const char* name, std::uint64_t number, ui::time_point at) {
  std::string text = std::string{"{\""} + name + "\":" + std::to_string(number) + ",\"at\":\"";
  ui::append_timestamp(text, at);
  return text + "\"}\n";
}

struct number_and_time {
  std::uint64_t number = 0;
  ui::time_point at;
};

std::optional<number_and_time> parse_pair(const char* name, std::string_view text) {
  const tofud::json::small_document document{text};
  const json::object* object = document.object();
  if (object == nullptr) return std::nullopt;
  const auto number = number_at(*object, name);
  const json::value* at = object->if_contains("at");
  if (!number || at == nullptr || !at->is_string()) return std::nullopt;
  const auto& written = at->get_string();
  const auto time = ui::parse_timestamp(std::string_view{written.data(), written.size()});
  if (!time) return std::nullopt;
  return number_and_time{*number, *time};
}

}  // namespace

std::string as_line(std::string json) {
  std::replace(json.begin(), json.end(), '\n', ' ');
  std::replace(json.begin(), json.end(), '\r', ' ');
  return json;
}

std::string to_line(const arrival& arrival) {
  return pair_text("offset", arrival.offset, arrival.at);
}

std::optional<arrival> parse_arrival(std::string_view line) {
  const auto found = parse_pair("offset", line);
  if (!found) return std::nullopt;
  return arrival{found->number, found->at};
}

std::optional<std::uint64_t> event_offset(std::string_view json) {
  const tofud::json::small_document document{json};
  return document.object() != nullptr ? number_at(*document.object(), "offset") : std::nullopt;
}

std::string to_json(const completion& completion) {
  return pair_text("bytes", completion.bytes, completion.at);
}

std::optional<completion> parse_completion(std::string_view text) {
  const auto found = parse_pair("bytes", text);
  if (!found) return std::nullopt;
  return completion{found->number, found->at};
}

}  // namespace tofud::journal
