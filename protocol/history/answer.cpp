#include "protocol/history/answer.hpp"

#include "protocol/feed/append.hpp"
#include "protocol/json/document.hpp"
#include "protocol/json/quote.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace tofud::history {
namespace {

using json::kind;
using json::value;

enum class answer_error : std::uint8_t { no_history };

std::string_view sentence(answer_error what) {
  constexpr auto sentences = text::catalogue<answer_error>(
      {{answer_error::no_history, "the daemon's answer is no history: {}"}});
  return sentences[what];
}

/// Members of an object, one after the other.
class members {
 public:
  explicit members(std::string& out) : out_{out} { out_.push_back('{'); }
  ~members() { out_.push_back('}'); }
  members(const members&) = delete;
  members& operator=(const members&) = delete;

  std::string& named(std::string_view name) {
    if (out_.back() != '{') out_.push_back(',');
    out_.append("\"").append(name).append("\":");
    return out_;
  }
  void text(std::string_view name, std::string_view value) {
    json::append_quoted(named(name), value);
  }
  void known(std::string_view name, std::string_view value) {
    if (value.empty())
      named(name).append("null");
    else
      text(name, value);
  }
  void number(std::string_view name, std::uint64_t value) {
    named(name).append(std::to_string(value));
  }
  void seconds(std::string_view name, double value) { feed::append_seconds(named(name), value); }

 private:
  std::string& out_;
};

template <class List, class Append>
void append_list(std::string& out, const List& all, const Append& append) {
  out.push_back('[');
  for (const auto& each : all) {
    if (out.back() != '[') out.push_back(',');
    append(each);
  }
  out.push_back(']');
}

void append_entry(std::string& out, const entry& of) {
  members to{out};
  to.text("stack", of.stack);
  to.text("addr", of.addr);
  to.text("type", of.type);
  to.text("action", of.action);
  to.text("phase", of.phase);
  to.known("provider", of.provider);
  to.known("provider_version", of.provider_version);
  to.number("count", of.count);
  to.number("failed", of.failed);
  if (of.failed == of.count) {
    to.named("p50_s").append("null");
    to.named("p80_s").append("null");
  } else {
    to.seconds("p50_s", of.p50);
    to.seconds("p80_s", of.p80);
  }
  to.named("failed_of_newest")
      .append("[")
      .append(std::to_string(of.failed_of_newest()))
      .append(",")
      .append(std::to_string(of.newest_looked_at()))
      .append("]");
  to.named("flaky").append(of.is_flaky() ? "true" : "false");
  feed::append_time(to.named("first_at"), of.first_at);
  append_list(to.named("newest"), of.newest, [&](const ended_operation& each) {
    members one{out};
    one.text("run", each.run);
    one.text("status", each.status);
    one.seconds("seconds", each.seconds);
    feed::append_time(one.named("started_at"), each.started_at);
  });
  if (!of.changed) return;
  members one{to.named("changed_by")};
  one.text("run", of.changed->run);
  one.text("action", of.changed->action);
  one.known("commit", of.changed->commit);
  one.known("actor", of.changed->actor);
  feed::append_time(one.named("at"), of.changed->at);
}

void append_slow(std::string& out, const slow_entry& of, bool is_type) {
  members to{out};
  to.text(is_type ? "type" : "addr", of.name);
  if (is_type) to.text("action", of.action);
  to.number("count", of.count);
  to.seconds("p50_s", of.p50);
  to.seconds("p80_s", of.p80);
  to.seconds("total_s", of.total);
}

/// Three digits behind the point.
void append_ratio(std::string& out, double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3);
  out.append(text.data(), end.ptr);
}

void append_score(std::string& out, const estimate_score& of) {
  members to{out};
  to.number("at", of.at);
  to.number("runs", of.runs);
  append_ratio(to.named("error"), of.error);
  append_ratio(to.named("p50_held"), of.p50_held);
  append_ratio(to.named("p80_held"), of.p80_held);
}

// ---- reading ----------------------------------------------------------------------------------

std::string text_of(value from) { return std::string{from.string().value_or("")}; }

std::uint64_t count_of(value from) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(from.integer().value_or(0), 0));
}

double seconds_of(value from) {
  double read = 0;
  if (!from.is(kind::number)) return 0;
  const std::string_view text = from.text();
  std::from_chars(text.data(), text.data() + text.size(), read);
  return read;
}

ui::time_point time_of(value from) {
  return ui::parse_timestamp(from.string().value_or("")).value_or(ui::time_point{});
}

entry entry_of(value from) {
  entry made;
  made.stack = text_of(from["stack"]);
  made.addr = text_of(from["addr"]);
  made.type = text_of(from["type"]);
  made.action = text_of(from["action"]);
  made.phase = text_of(from["phase"]);
  made.provider = text_of(from["provider"]);
  made.provider_version = text_of(from["provider_version"]);
  made.count = count_of(from["count"]);
  made.failed = count_of(from["failed"]);
  made.p50 = seconds_of(from["p50_s"]);
  made.p80 = seconds_of(from["p80_s"]);
  made.first_at = time_of(from["first_at"]);
  for (const value each : from["newest"]) {
    made.newest.push_back({text_of(each["run"]), text_of(each["status"]),
                           seconds_of(each["seconds"]), time_of(each["started_at"])});
  }
  if (const value changed = from["changed_by"]; changed.is(kind::object)) {
    made.changed =
        changed_by{text_of(changed["run"]), text_of(changed["action"]), text_of(changed["commit"]),
                   text_of(changed["actor"]), time_of(changed["at"])};
  }
  return made;
}

slow_entry slow_of(value from, std::string_view name) {
  return {text_of(from[name]),       text_of(from["action"]),   count_of(from["count"]),
          seconds_of(from["p50_s"]), seconds_of(from["p80_s"]), seconds_of(from["total_s"])};
}

}  // namespace

std::string to_json(const report& of) {
  std::string out;
  {
    members to{out};
    append_list(to.named("entries"), of.entries,
                [&](const entry& each) { append_entry(out, each); });
    to.named("more").append(of.more ? "true" : "false");
    append_list(to.named("types"), of.types,
                [&](const slow_entry& each) { append_slow(out, each, true); });
    append_list(to.named("refreshes"), of.refreshes,
                [&](const slow_entry& each) { append_slow(out, each, false); });
    append_list(to.named("score"), of.score,
                [&](const estimate_score& each) { append_score(out, each); });
    to.number("read", of.read);
  }
  out.push_back('\n');
  return out;
}

std::string to_json(const std::vector<estimate_score>& of) {
  std::string out;
  append_list(out, of, [&](const estimate_score& each) { append_score(out, each); });
  out.push_back('\n');
  return out;
}

text::result<report> read_report(std::string_view json) {
  json::document_parser parser{json::keep_everything};
  while (json.ends_with('\n')) json.remove_suffix(1);
  if (const auto wrong = parser.parse(json))
    return text::failure{answer_error::no_history, json::describe(*wrong)};
  const value root = parser.root();
  if (!root["entries"].is(kind::array))
    return text::failure{answer_error::no_history, "it has no entries"};
  report made;
  for (const value each : root["entries"]) made.entries.push_back(entry_of(each));
  made.more = root["more"].is(kind::boolean_true);
  for (const value each : root["types"]) made.types.push_back(slow_of(each, "type"));
  for (const value each : root["refreshes"]) made.refreshes.push_back(slow_of(each, "addr"));
  for (const value each : root["score"]) {
    made.score.push_back({static_cast<std::uint8_t>(count_of(each["at"])), count_of(each["runs"]),
                          seconds_of(each["error"]), seconds_of(each["p50_held"]),
                          seconds_of(each["p80_held"])});
  }
  made.read = count_of(root["read"]);
  return made;
}

}  // namespace tofud::history
