#include "protocol/events/run_events.hpp"

#include "protocol/json/members.hpp"
#include "protocol/json/quote.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

namespace tofud::events {
namespace {

void set_label(run_events& events, std::string key, std::string value) {
  const auto same = std::find_if(events.labels.begin(), events.labels.end(),
                                 [&key](const feed::label& each) { return each.key == key; });
  if (same == events.labels.end())
    events.labels.push_back({std::move(key), std::move(value)});
  else
    same->value = std::move(value);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::uint64_t count_at(const boost::json::object& event, std::string_view key) {
  const boost::json::value* found = event.if_contains(key);
  if (found == nullptr || !found->is_int64() || found->get_int64() < 0) return 0;
  return static_cast<std::uint64_t>(found->get_int64());
}

void take_plan_file(run_events& events, const boost::json::object& event) {
  const std::string role = json::text_at(event, "role");
  plan_file file{role == "out" ? plan_role::out : plan_role::argument,
                 json::text_at(event, "sha256"), 0};
  if ((role != "out" && role != "argument") || !is_sha256(file.sha256)) return;
  file.bytes = count_at(event, "bytes");
  events.plan_files.push_back(std::move(file));
}

void take_attachment(run_events& events, const boost::json::object& event) {
  const auto part = feed::parse_attachment(json::text_at(event, "part"));
  attachment taken{part.value_or(feed::attachment::plan), count_at(event, "offset"),
                   json::text_at(event, "sha256"), count_at(event, "bytes"),
                   count_at(event, "hidden")};
  if (!part || !is_sha256(taken.sha256)) return;
  const bool again = std::any_of(events.attachments.begin(), events.attachments.end(),
                                 [&](const attachment& each) { return each.part == *part; });
  if (!again) events.attachments.push_back(std::move(taken));
}

void take(run_events& events, const boost::json::object& event) {
  const std::string kind = json::text_at(event, "event");
  if (kind == "begin") {
    events.id = json::text_at(event, "id");
    events.stack = json::text_at(event, "stack");
    events.command = feed::parse_run_command(json::text_at(event, "command"));
    const boost::json::value* labels = event.if_contains("labels");
    if (labels == nullptr || !labels->is_object()) return;
    for (const auto& [key, value] : labels->get_object()) {
      if (value.is_string()) {
        set_label(events, std::string{key}, std::string{value.get_string()});
      }
    }
  } else if (kind == "label") {
    const std::string key = json::text_at(event, "key");
    if (!key.empty()) set_label(events, key, json::text_at(event, "value"));
  } else if (kind == "plan_file") {
    take_plan_file(events, event);
  } else if (kind == "attachment") {
    take_attachment(events, event);
  } else if (kind == "interrupt") {
    events.interrupted = true;
  } else if (kind == "exit_status") {
    const boost::json::value* status = event.if_contains("status");
    if (status != nullptr && status->is_int64())
      events.exit_status = static_cast<int>(status->get_int64());
  } else if (kind == "end") {
    events.ended = true;
  }
}

}  // namespace

std::string begin_event(std::string_view id, std::string_view stack,
                        const std::vector<feed::label>& labels,
                        std::optional<feed::run_command> command) {
  std::string line = R"({"offset":0,"event":"begin","id":)";
  json::append_quoted(line, id);
  line.append(R"(,"stack":)");
  if (stack.empty())
    line.append("null");
  else
    json::append_quoted(line, stack);
  line.append(R"(,"labels":{)");
  for (const feed::label& label : labels) {
    if (line.back() != '{') line.push_back(',');
    json::append_quoted(line, label.key);
    line.push_back(':');
    json::append_quoted(line, label.value);
  }
  line.append(R"(},"command":)");
  if (command) {
    json::append_quoted(line, feed::name(*command));
  } else {
    line.append("null");
  }
  line.push_back('}');
  return line;
}

std::string exit_status_event(std::uint64_t offset, int status) {
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"exit_status","status":)" +
         std::to_string(status) + "}";
}

std::string end_event(std::uint64_t offset) {
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"end"})";
}

std::string label_event(std::uint64_t offset, const feed::label& label) {
  std::string line = R"({"offset":)" + std::to_string(offset) + R"(,"event":"label","key":)";
  json::append_quoted(line, label.key);
  line.append(R"(,"value":)");
  json::append_quoted(line, label.value);
  line.push_back('}');
  return line;
}

std::string interrupt_event(std::uint64_t offset) {
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"interrupt"})";
}

std::string plan_file_event(std::uint64_t offset, const plan_file& file) {
  const std::string role = file.role == plan_role::out ? "out" : "argument";
  return R"({"offset":)" + std::to_string(offset) + R"(,"event":"plan_file","role":")" + role +
         R"(","sha256":")" + file.sha256 + R"(","bytes":)" + std::to_string(file.bytes) + "}";
}

std::string attachment_event(const attachment& attached) {
  return R"({"offset":)" + std::to_string(attached.offset) + R"(,"event":"attachment","part":")" +
         std::string{feed::name(attached.part)} + R"(","sha256":")" + attached.sha256 +
         R"(","bytes":)" + std::to_string(attached.bytes) +
         (attached.hidden == 0 ? "" : R"(,"hidden":)" + std::to_string(attached.hidden)) + "}";
}

run_events parse_events(std::string_view text) {
  run_events events;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    boost::json::error_code failed;
    const boost::json::value line =
        boost::json::parse(boost::json::string_view{text.data(), end}, failed);
    if (!failed && line.is_object()) take(events, line.get_object());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return events;
}

}  // namespace tofud::events
