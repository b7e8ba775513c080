#include "daemon/serve/audited.hpp"

#include "daemon/access/principal.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

using operations::audit_entry;

std::string_view word_of(access::principal::known_by how) {
  using known_by = access::principal::known_by;
  switch (how) {
    case known_by::nobody:
      return "";
    case known_by::owner:
      return "owner";
    case known_by::socket:
      return "socket";
    case known_by::sender:
      return "sender";
    case known_by::issuer:
      return "oidc";
    case known_by::token:
      return "token";
    case known_by::session:
      return "login";
    case known_by::proxy:
      return "proxy";
  }
  return "";
}

/// Of a run's routes.
std::string_view action_on_run(std::string_view method, std::string_view part) {
  if (method == "DELETE" && part.empty()) return "remove";
  if (method != "GET") return "";
  if (part.empty()) return "open";
  if (part == "export" || part == "plan") return "export";
  return part == "stream.jsonl" || part == "events.jsonl" ? "raw" : "";
}

std::string_view action_of(const http::request& asked, const std::vector<std::string>& at) {
  const std::string_view method = asked.method;
  const std::string_view first = at.size() > 1 && at[0] == "v1" ? std::string_view{at[1]} : "";
  if (first == "stream" && method == "GET") return "watch";
  if (first == "reindex" && method == "POST") return "reindex";
  if (first == "session" && at.size() == 3) return method == "POST" ? "make_link" : "";
  if (first == "session") {
    return method == "POST" ? "log_in" : method == "DELETE" ? "log_out" : "";
  }
  if (first != "runs" || at.size() > 4) return "";
  if (at.size() == 2) return method == "POST" || method == "PUT" ? "send" : "";
  return action_on_run(method, at.size() == 4 ? std::string_view{at[3]} : "");
}

/// A header of the answer; empty: it has none.
std::string_view first(const http::response& answer, std::string_view name) {
  for (const http::header& field : answer.headers) {
    if (http::equal_without_case(field.name, name)) return field.value;
  }
  return {};
}

/// The run that is asked for, or was begun. Empty: it is about none.
std::string run_of(const audit_entry& entry, const http::request& asked,
                   const http::response& answer, const std::vector<std::string>& at) {
  if (entry.action == "watch") return asked.parameter("run").value_or("");
  if (entry.action != "send") return at.size() > 2 && at[1] == "runs" ? at[2] : "";
  const std::string_view location = first(answer, "location");
  return std::string{location.substr(location.rfind('/') + 1)};
}

void name_asker(audit_entry& entry, const access::principal& by, const http::peer& from) {
  entry.who = by.who;
  entry.as = word_of(by.how);
  entry.from = from.address;
  if (entry.from.empty() && from.uid) entry.from = "uid " + std::to_string(*from.uid);
}

/// Who has the session that the answer begins.
void name_who_logs_in(audit_entry& entry, const http::request& asked, const http::response& answer,
                      access::gate& by) {
  std::string_view cookie = first(answer, "set-cookie");
  cookie.remove_prefix(std::min(cookie.find('=') + 1, cookie.size()));
  const auto holder =
      by.open().find(cookie.substr(0, cookie.find(';')), operations::now_in_seconds());
  if (holder) name_asker(entry, *holder, asked.from);
}

}  // namespace

std::optional<audit_entry> audited(const http::request& asked, const http::response& answer,
                                   const kept_streams& runs, access::gate& by) {
  audit_entry entry;
  entry.status = answer.status;
  name_asker(entry, access::asking(asked), asked.from);
  if (answer.status == 401 || answer.status == 403) {
    entry.action = "refuse";
    entry.request = asked.method + " " + asked.path.substr(0, limits::audited_path_bytes);
    return entry;
  }
  const auto at = http::segments_of(asked.path);
  entry.action = action_of(asked, at);
  if (entry.action.empty() || answer.status >= 400) return std::nullopt;
  if (entry.action == "log_in") name_who_logs_in(entry, asked, answer, by);
  if (entry.action == "send" && answer.status != 201) return std::nullopt;
  if (entry.action == "export") entry.detail = asked.parameter("format").value_or("");
  entry.run = run_of(entry, asked, answer, at);
  if (entry.run.empty()) return entry;
  // What was removed is not there any more; else a run that nobody knows was not looked at.
  const auto run = runs.find(entry.run, access::asking(asked));
  if (!run) return entry.action == "remove" ? std::optional{entry} : std::nullopt;
  if (entry.run == "latest") entry.run = run->id();
  entry.stack = run->header().stack;
  return entry;
}

audit_entry audited(const access::token_change& change) {
  audit_entry entry;
  entry.action = change.why_over.empty() ? "token_begins" : "token_ends";
  entry.who = change.name;
  entry.as = "token";
  entry.detail = change.why_over.empty() ? change.may : change.why_over;
  return entry;
}

}  // namespace tofud::serve
