#include "protocol/events/event.hpp"

#include "protocol/events/errors.hpp"
#include "protocol/feed/limits.hpp"
#include "protocol/json/members.hpp"
#include "protocol/json/quote.hpp"

#include <boost/json.hpp>

#include <optional>
#include <utility>

namespace tofud::events {
namespace {

using boost::json::object;
using read_body = text::result<body>;

read_body read_begin(const object& from) {
  begin read{json::text_at(from, "id"), json::text_at(from, "stack"), {}, {}};
  read.command = feed::parse_run_command(json::text_at(from, "command"));
  const boost::json::value* labels = from.if_contains("labels");
  if (labels == nullptr || !labels->is_object()) return body{std::move(read)};
  for (const auto& [key, value] : labels->get_object()) {
    if (value.is_string())
      read.labels.push_back({std::string{key}, std::string{value.get_string()}});
  }
  return body{std::move(read)};
}

read_body read_exit_status(const object& from) {
  const boost::json::value* status = from.if_contains("status");
  if (status == nullptr || !status->is_int64() || status->get_int64() < 0 ||
      status->get_int64() > 255) {
    return text::failure{error::bad_exit_status};
  }
  return body{exit_status{static_cast<int>(status->get_int64())}};
}

read_body read_label(const object& from) {
  label read{json::text_at(from, "key"), json::text_at(from, "value")};
  if (read.key.empty()) return text::failure{error::no_key};
  if (read.key.size() > limits::given_word_bytes || read.value.size() > limits::given_word_bytes)
    return text::failure{error::long_label, limits::given_word_bytes};
  return body{std::move(read)};
}

read_body read_plan_file(const object& from) {
  const std::string role = json::text_at(from, "role");
  if (role != "out" && role != "argument") return text::failure{error::bad_role};
  return body{plan_file{role == "out" ? plan_role::out : plan_role::argument,
                        json::text_at(from, "sha256"), json::count_at(from, "bytes")}};
}

read_body read_attachment(const object& from) {
  const auto part = feed::parse_attachment(json::text_at(from, "part"));
  if (!part) return text::failure{error::bad_part};
  return body{attachment{*part, json::text_at(from, "sha256"), json::count_at(from, "bytes"),
                         json::count_at(from, "hidden")}};
}

read_body read_trace_parent(const object& from) {
  auto read = parse_trace_parent(json::text_at(from, "value"));
  if (!read) return text::failure{error::bad_trace_parent};
  return body{std::move(*read)};
}

read_body read(const std::string& kind, const object& from) {
  if (kind == "begin") return read_begin(from);
  if (kind == "exit_status" || kind == "exit") return read_exit_status(from);
  if (kind == "label") return read_label(from);
  if (kind == "plan_file") return read_plan_file(from);
  if (kind == "attachment") return read_attachment(from);
  if (kind == "trace_parent") return read_trace_parent(from);
  if (kind == "broken") return body{broken{}};
  if (kind == "end") return body{end{}};
  return body{other{}};
}

/// Appends the members that follow `offset`.
struct writer {
  std::string& out;

  void kind(std::string_view name) const {
    out.append(R"(,"event":")").append(name).push_back('"');
  }
  void text(std::string_view name, std::string_view value) const {
    out.append(",\"").append(name).append("\":");
    json::append_quoted(out, value);
  }
  void count(std::string_view name, std::uint64_t value) const {
    out.append(",\"").append(name).append("\":").append(std::to_string(value));
  }

  void operator()(const begin& said) const {
    kind("begin");
    text("id", said.id);
    if (said.stack.empty())
      out.append(R"(,"stack":null)");
    else
      text("stack", said.stack);
    out.append(R"(,"labels":{)");
    for (const feed::label& each : said.labels) {
      if (out.back() != '{') out.push_back(',');
      json::append_quoted(out, each.key);
      out.push_back(':');
      json::append_quoted(out, each.value);
    }
    out.push_back('}');
    if (said.command)
      text("command", feed::name(*said.command));
    else
      out.append(R"(,"command":null)");
  }
  void operator()(const exit_status& said) const {
    kind("exit_status");
    out.append(R"(,"status":)").append(std::to_string(said.status));
  }
  void operator()(const label& said) const {
    kind("label");
    text("key", said.key);
    text("value", said.value);
  }
  void operator()(const plan_file& said) const {
    kind("plan_file");
    text("role", said.role == plan_role::out ? "out" : "argument");
    text("sha256", said.sha256);
    count("bytes", said.bytes);
  }
  void operator()(const attachment& said) const {
    kind("attachment");
    text("part", feed::name(said.part));
    text("sha256", said.sha256);
    if (said.bytes > 0) count("bytes", said.bytes);
    if (said.hidden > 0) count("hidden", said.hidden);
  }
  void operator()(const trace_parent& said) const {
    kind("trace_parent");
    text("value", to_string(said));
  }
  void operator()(broken) const { kind("broken"); }
  void operator()(end) const { kind("end"); }
  void operator()(other) const {}
  void operator()(arrival) const {}
};

}  // namespace

text::result<event> parse(std::string_view json) {
  boost::json::error_code failed;
  boost::json::parse_options strict;
  strict.max_depth = 8;
  const boost::json::value document =
      boost::json::parse(boost::json::string_view{json.data(), json.size()}, failed, {}, strict);
  if (failed) return text::failure{error::no_json, failed.message()};
  if (!document.is_object()) return text::failure{error::no_object};
  const object& from = document.get_object();
  const boost::json::value* offset = from.if_contains("offset");
  if (offset == nullptr || !offset->is_number()) return text::failure{error::no_offset};
  event parsed;
  parsed.offset = offset->to_number<std::uint64_t>(failed);
  if (failed) return text::failure{error::bad_offset};
  const std::string kind = json::text_at(from, "event");
  if (kind.empty()) return text::failure{error::no_event};
  auto what = read(kind, from);
  if (!what) return what.error();
  parsed.what = std::move(*what);
  return parsed;
}

std::string text_of(const event& said) {
  std::string out = R"({"offset":)" + std::to_string(said.offset);
  std::visit(writer{out}, said.what);
  out.push_back('}');
  return out;
}

std::string put_off(std::string_view json, std::uint64_t offset) {
  auto said = json::object_in(json);
  if (!said) return std::string{json};
  (*said)["offset"] = offset;
  (*said)["sent"] = boost::json::string_view{json.data(), json.size()};
  return boost::json::serialize(*said);
}

std::uint64_t sent_offset(std::string_view json) {
  const auto said = json::object_in(json);
  if (!said) return 0;
  const std::string sent = json::text_at(*said, "sent");
  const auto first = sent.empty() ? said : json::object_in(sent);
  return first ? json::count_at(*first, "offset") : 0;
}

bool is_same(std::string_view kept, std::string_view sent) {
  if (kept == sent) return true;
  const auto said = json::object_in(kept);
  return said && !sent.empty() && json::text_at(*said, "sent") == sent;
}

std::string sent_exit(int status) {
  return R"({"event":"exit","status":)" + std::to_string(status) + "}";
}

}  // namespace tofud::events
