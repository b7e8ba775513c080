#include "daemon/notify/report.hpp"

#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/duration.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace tofud::notify {
namespace {

namespace bj = boost::json;

std::string plural(std::uint64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string{one} + (count == 1 ? "" : "s");
}

std::string counts_text(const feed::change_counts& counts, bool done) {
  std::string text;
  const auto add = [&](std::int64_t count, std::string_view did, std::string_view will) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " ";
    text += done ? did : will;
  };
  add(counts.import, "imported", "to import");
  add(counts.add, "added", "to add");
  add(counts.change, "changed", "to change");
  add(counts.remove, "destroyed", "to destroy");
  add(counts.forget, "forgotten", "to forget");
  return text.empty() ? "no changes" : text;
}

bj::object object_of(const told_error& one) {
  bj::object made{{"summary", one.summary}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) made[name] = value;
  };
  add("addr", one.addr);
  add("place", one.place);
  add("owner", one.owner);
  add("runbook", one.runbook);
  return made;
}

bj::object object_of(const feed::change_counts& counts, bool done) {
  return {{"add", counts.add},       {"change", counts.change}, {"import", counts.import},
          {"remove", counts.remove}, {"forget", counts.forget}, {"done", done}};
}

std::int64_t number_in(const bj::object& from, std::string_view name) {
  const auto* found = from.if_contains(name);
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

std::vector<std::string> texts_in(const bj::object& from, std::string_view name) {
  std::vector<std::string> all;
  const auto* found = from.if_contains(name);
  if (found == nullptr || !found->is_array()) return all;
  for (const bj::value& each : found->get_array())
    if (each.is_string()) all.emplace_back(each.get_string());
  return all;
}

}  // namespace

std::string stamp_of(ui::time_point at) {
  std::string text;
  ui::append_timestamp(text, at);
  return text;
}

std::string report_id(std::string_view run, occasion what, std::string_view rule) {
  return "msg_" + text::sha256_hex(std::string{run} + "\n" + std::string{name(what)} + "\n" +
                                   std::string{rule})
                      .substr(0, 32);
}

std::string told_text(std::string_view text,
                      const std::function<std::string(std::string_view)>& hide) {
  return text::beginning(text::readable_line(hide ? hide(text) : std::string{text}),
                         limits::told_text_bytes);
}

std::string headline(const report& of) {
  if (of.what == occasion::test) return "tofud can reach you here";
  if (!of.others.empty()) {
    const std::uint64_t count = of.others.size() + of.more_others;
    return plural(count, "message") + " at once: " + std::to_string(of.errors) + " failed";
  }
  std::string which = of.command + (of.stack.empty() ? "" : " of " + of.stack);
  switch (of.what) {
    case occasion::failed:
      return which + " " + of.status;
    case occasion::recovered:
      return which + " succeeded again";
    case occasion::lost:
      return which + " lost contact";
    case occasion::waiting:
      return which + " waits for an approval";
    case occasion::overrun:
      return which + " takes more than twice as long as usual";
    case occasion::drift:
      return which + " found changes outside of OpenTofu";
    case occasion::destroy:
      return which + " plans to destroy";
    case occasion::test:
      break;
  }
  return which;
}

std::vector<std::string> facts_of(const report& of) {
  std::vector<std::string> lines;
  if (of.what == occasion::test) {
    lines.push_back("Somebody called `tofud notify test`. Nothing happened to a run.");
    return lines;
  }
  if (of.changes) lines.push_back(counts_text(*of.changes, of.changes_are_done));
  if (of.errors > 0 && of.others.empty()) lines.push_back(plural(of.errors, "error"));
  if (of.stranded > 0) {
    lines.push_back(plural(of.stranded, "resource") + " did not begin because of " +
                    (of.stranded_by.empty() ? "it" : of.stranded_by));
  }
  if (of.seconds) {
    const auto time = text::duration(std::chrono::seconds{*of.seconds});
    lines.push_back((of.what == occasion::waiting ? "since " : "for ") + time);
  }
  if (!of.by.empty()) lines.push_back("sent by " + of.by);
  return lines;
}

std::string to_json(const report& of) {
  bj::object made{{"occasion", name(of.what)}, {"id", of.id}, {"at", stamp_of(of.at)}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) made[key] = value;
  };
  add("run", of.run);
  add("stack", of.stack);
  add("command", of.command);
  add("status", of.status);
  made["headline"] = headline(of);
  bj::object labels;
  for (const feed::label& each : of.labels) labels[each.key] = each.value;
  if (!labels.empty()) made["labels"] = std::move(labels);
  add("by", of.by);
  if (of.started_at) made["started_at"] = stamp_of(*of.started_at);
  if (of.changes) made["changes"] = object_of(*of.changes, of.changes_are_done);
  if (of.errors > 0) made["errors"] = of.errors;
  bj::array errors;
  for (const told_error& each : of.first_errors) errors.push_back(object_of(each));
  if (!errors.empty()) made["first_errors"] = std::move(errors);
  if (of.stranded > 0) made["stranded"] = {{"count", of.stranded}, {"addr", of.stranded_by}};
  if (of.seconds) made["seconds"] = *of.seconds;
  add("url", of.url);
  add("approve_url", of.approve_url);
  add("resolves", of.resolves);
  if (!of.others.empty()) {
    bj::array others;
    for (const std::string& each : of.others) others.emplace_back(each);
    made["others"] = std::move(others);
    if (of.more_others > 0) made["more_others"] = of.more_others;
  }
  return bj::serialize(made);
}

text::result<report> parse_report(std::string_view json) {
  boost::system::error_code failed;
  const bj::value whole = bj::parse(json, failed);
  if (failed || !whole.is_object()) return text::failure{error::bad_report};
  const bj::object& from = whole.get_object();
  const auto text_in = [](const bj::object& object, const char* key) {
    return tofud::json::text_at(object, key);
  };
  report made;
  const std::string what = text_in(from, "occasion");
  const auto known = what == name(occasion::test) ? occasion::test : parse_occasion(what);
  const auto at = ui::parse_timestamp(text_in(from, "at"));
  if (!known || !at) return text::failure{error::bad_report};
  made.what = *known;
  made.at = *at;
  made.id = text_in(from, "id");
  made.run = text_in(from, "run");
  made.stack = text_in(from, "stack");
  made.command = text_in(from, "command");
  made.status = text_in(from, "status");
  made.by = text_in(from, "by");
  made.started_at = ui::parse_timestamp(text_in(from, "started_at"));
  made.url = text_in(from, "url");
  made.approve_url = text_in(from, "approve_url");
  made.resolves = text_in(from, "resolves");
  if (const auto* labels = from.if_contains("labels"); labels != nullptr && labels->is_object()) {
    for (const auto& [key, value] : labels->get_object())
      if (value.is_string())
        made.labels.push_back({std::string{key}, std::string{value.get_string()}});
  }
  if (const auto* found = from.if_contains("changes"); found != nullptr && found->is_object()) {
    const bj::object& counts = found->get_object();
    made.changes = feed::change_counts{number_in(counts, "add"), number_in(counts, "change"),
                                       number_in(counts, "import"), number_in(counts, "remove"),
                                       number_in(counts, "forget")};
    const auto* done = counts.if_contains("done");
    made.changes_are_done = done != nullptr && done->is_bool() && done->get_bool();
  }
  made.errors = static_cast<std::uint64_t>(number_in(from, "errors"));
  if (const auto* found = from.if_contains("first_errors"); found != nullptr && found->is_array()) {
    for (const bj::value& each : found->get_array()) {
      if (!each.is_object()) continue;
      const bj::object& one = each.get_object();
      made.first_errors.push_back({text_in(one, "summary"), text_in(one, "addr"),
                                   text_in(one, "place"), text_in(one, "owner"),
                                   text_in(one, "runbook")});
    }
  }
  if (const auto* found = from.if_contains("stranded"); found != nullptr && found->is_object()) {
    made.stranded = static_cast<std::uint64_t>(number_in(found->get_object(), "count"));
    made.stranded_by = text_in(found->get_object(), "addr");
  }
  if (from.contains("seconds"))
    made.seconds = static_cast<std::uint64_t>(number_in(from, "seconds"));
  made.others = texts_in(from, "others");
  made.more_others = static_cast<std::uint64_t>(number_in(from, "more_others"));
  return made;
}

report burst_of(const std::vector<report>& all, std::string_view rule) {
  report made;
  std::string ids;
  for (const report& each : all) {
    ids += each.id;
    made.errors += each.what == occasion::failed ? 1 : 0;
    if (made.others.size() < limits::told_burst_names) {
      made.others.push_back(headline(each));
    } else {
      ++made.more_others;
    }
  }
  made.what = made.errors > 0 ? occasion::failed : all.back().what;
  made.id = report_id(ids, made.what, rule);
  made.run = all.back().run;
  made.at = all.back().at;
  return made;
}

}  // namespace tofud::notify
