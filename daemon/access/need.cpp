#include "daemon/access/need.hpp"

#include "daemon/http/message/request.hpp"

#include <string>
#include <vector>

namespace tofud::access {
namespace {

bool is_run_part(const std::vector<std::string>& at, std::string_view part) {
  return at.size() == 4 && at[0] == "v1" && at[1] == "runs" && at[3] == part;
}

/// An event, or a document: `/v1/runs/ID/events/3`.
bool is_numbered_part(const std::vector<std::string>& at) {
  return at.size() == 5 && at[0] == "v1" && at[1] == "runs" &&
         (at[3] == "events" || at[3] == "attachments");
}

bool is_path(const std::vector<std::string>& at, const std::vector<std::string>& path) {
  return at == path;
}

need need_to_look(const std::vector<std::string>& at) {
  if (at.size() == 1) {
    for (const auto* open : {"healthz", "readyz", "plain.css", "login.js"}) {
      if (at[0] == open) return need::nothing;
    }
  }
  if (is_path(at, {"v1", "session"})) return need::someone;
  if (is_path(at, {"v1", "session", "oidc"}) || is_path(at, {"v1", "session", "oidc", "callback"}))
    return need::nothing;
  if (is_path(at, {"metrics"})) return need::whole;
  if (is_path(at, {"v1", "notifications"})) return need::owner;  // rules, and stacks of everybody
  if (is_run_part(at, "stream.jsonl") || is_run_part(at, "events.jsonl")) return need::raw;
  return need::read;
}

}  // namespace

need need_of(std::string_view method, std::string_view path) {
  const auto at = http::segments_of(path);
  const bool is_head = method == "HEAD";
  if (is_head && is_run_part(at, "lines")) return need::ingest;
  if (method == "GET" || is_head) return need_to_look(at);
  if ((method == "POST" || method == "DELETE") && is_path(at, {"v1", "session"})) {
    return need::nothing;
  }
  if (method == "POST" && is_path(at, {"v1", "session", "links"})) return need::someone;
  if ((method == "POST" || method == "PUT") && is_path(at, {"v1", "runs"})) return need::ingest;
  if (method == "PATCH" && is_run_part(at, "lines")) return need::ingest;
  if (method == "PUT" && is_numbered_part(at)) return need::ingest;
  return need::owner;
}

bool is_of_upload(std::string_view path) {
  const auto at = http::segments_of(path);
  return is_run_part(at, "lines") || is_numbered_part(at);
}

bool may_other_page(std::string_view method, std::string_view path) {
  if (method == "GET" || method == "HEAD") return true;
  return (method == "POST" || method == "DELETE") &&
         is_path(http::segments_of(path), {"v1", "session"});
}

}  // namespace tofud::access
