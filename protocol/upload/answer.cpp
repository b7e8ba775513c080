#include "protocol/upload/answer.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/members.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace tofud::upload {
namespace {

constexpr std::string_view run_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

std::optional<std::uint64_t> number_at(const boost::json::object& object, std::string_view key) {
  const auto* found = object.if_contains(boost::json::string_view{key.data(), key.size()});
  if (found == nullptr) return std::nullopt;
  if (found->is_uint64()) return found->get_uint64();
  if (found->is_int64() && found->get_int64() >= 0) {
    return static_cast<std::uint64_t>(found->get_int64());
  }
  return std::nullopt;
}

/// It goes into request targets and sentences.
bool is_run_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::run_name_bytes && text.front() != '.' &&
         text.find_first_not_of(run_characters) == std::string_view::npos;
}

/// It goes to terminals and browsers.
bool is_page(std::string_view url) {
  return url.size() <= limits::told_url_bytes &&
         (url.starts_with("http://") || url.starts_with("https://")) &&
         std::all_of(url.begin(), url.end(),
                     [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\''; });
}

std::string plain(std::string text) {
  if (text.size() > limits::told_message_bytes) text.resize(limits::told_message_bytes);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

void append_usual(std::string& body, const std::vector<feed::address_usual>& all) {
  if (all.empty()) return;
  std::string list;
  for (const feed::address_usual& each : all) {
    std::string entry = list.empty() ? "{\"addr\":" : ",{\"addr\":";
    json::append_quoted(entry, each.addr);
    json::append_quoted(entry.append(",\"type\":"), each.type);
    json::append_quoted(entry.append(",\"action\":"), each.action);
    feed::append_seconds(entry.append(",\"p50_s\":"), each.how.p50);
    feed::append_seconds(entry.append(",\"p80_s\":"), each.how.p80);
    entry.append(",\"count\":").append(std::to_string(each.how.count));
    entry.append(each.how.flaky ? ",\"flaky\":true}" : "}");
    if (list.size() + entry.size() > limits::stack_usual_bytes) break;
    list += entry;
  }
  body.append(",\"usual\":[").append(list).push_back(']');
}

double seconds_at(const boost::json::object& object, std::string_view key) {
  const auto* found = object.if_contains(boost::json::string_view{key.data(), key.size()});
  boost::system::error_code failed;
  const double seconds = found == nullptr ? 0 : found->to_number<double>(failed);
  return failed || !(seconds >= 0) ? 0 : seconds;
}

/// What is not as it should be is passed over.
std::vector<feed::address_usual> usual_in(const boost::json::object& answer) {
  std::vector<feed::address_usual> all;
  const auto* list = answer.if_contains("usual");
  if (list == nullptr || !list->is_array()) return all;
  for (const auto& each : list->get_array()) {
    if (!each.is_object() || all.size() == limits::stack_usual_most) continue;
    const auto& entry = each.get_object();
    feed::address_usual made;
    made.addr = json::text_at(entry, "addr");
    made.type = json::text_at(entry, "type");
    made.action = json::text_at(entry, "action");
    made.how.p50 = seconds_at(entry, "p50_s");
    made.how.p80 = seconds_at(entry, "p80_s");
    made.how.count = static_cast<std::size_t>(number_at(entry, "count").value_or(0));
    const auto* flaky = entry.if_contains("flaky");
    made.how.flaky = flaky != nullptr && flaky->is_bool() && flaky->get_bool();
    if (!made.addr.empty() && made.how.count > 0) all.push_back(std::move(made));
  }
  return all;
}

}  // namespace

std::string to_json(const granted_run& granted) {
  std::string body = "{\"run\":";
  json::append_quoted(body, granted.run);
  body += ",\"offset\":" + std::to_string(granted.offset);
  body += ",\"max_patch\":" + std::to_string(granted.max_patch);
  body += ",\"keepalive_s\":" + std::to_string(granted.keepalive.count()) + ",\"url\":";
  if (granted.url.empty()) {
    body += "null";
  } else {
    json::append_quoted(body, granted.url);
  }
  append_usual(body, granted.usual);
  body += "}\n";
  return body;
}

std::optional<granted_run> parse_granted(std::string_view body) {
  const auto answer = json::object_in(body);
  if (!answer) return std::nullopt;
  granted_run granted;
  granted.run = json::text_at(*answer, "run");
  const auto offset = number_at(*answer, "offset");
  if (!is_run_name(granted.run) || !offset) return std::nullopt;
  granted.offset = *offset;
  const std::string url = json::text_at(*answer, "url");
  if (is_page(url)) granted.url = url;
  granted.max_patch = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      number_at(*answer, "max_patch").value_or(limits::patch_bytes), 1, limits::patch_bytes));
  const auto seconds = std::clamp<std::uint64_t>(
      number_at(*answer, "keepalive_s").value_or(limits::keep_alive.count()), 1,
      static_cast<std::uint64_t>(limits::keep_alive_longest.count()));
  granted.keepalive = std::chrono::seconds{seconds};
  granted.usual = usual_in(*answer);
  return granted;
}

std::optional<std::chrono::milliseconds> retry_after_in(std::string_view header) {
  const auto seconds = text::parse_whole_number<std::uint64_t>(header);
  if (!seconds) return std::nullopt;
  return std::chrono::seconds{std::min<std::uint64_t>(
      *seconds, static_cast<std::uint64_t>(limits::retry_after_longest.count()))};
}

std::string code_in(std::string_view body) {
  const auto answer = json::object_in(body);
  return answer ? json::text_at(*answer, "code") : "";
}

std::string said_by(unsigned status, std::string_view body) {
  std::string said = " (" + std::to_string(status);
  const auto error = json::object_in(body);
  const std::string message = error ? plain(json::text_at(*error, "message")) : "";
  if (!message.empty()) said += ": " + message;
  return said + ")";
}

}  // namespace tofud::upload
