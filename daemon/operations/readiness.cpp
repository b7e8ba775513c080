#include "daemon/operations/readiness.hpp"

#include "protocol/json/quote.hpp"

namespace tofud::operations {

std::string as_text(const readiness& now) {
  std::string out;
  if (now.to_recover > 0) out += "recovering: " + std::to_string(now.to_recover) + " runs\n";
  if (now.draining) out += "draining\n";
  if (now.joining) out += "joining\n";
  if (out.empty()) out = "ready\n";
  if (!now.behind.empty()) out += "behind: " + now.behind + "\n";
  return out;
}

std::string as_json(const readiness& now) {
  std::string reasons;
  if (now.to_recover > 0) {
    reasons += "{\"reason\":\"recovering\",\"runs\":" + std::to_string(now.to_recover) + "}";
  }
  if (now.draining) {
    if (!reasons.empty()) reasons.push_back(',');
    reasons += "{\"reason\":\"draining\"}";
  }
  if (now.joining) {
    if (!reasons.empty()) reasons.push_back(',');
    reasons += "{\"reason\":\"joining\"}";
  }
  const std::string ready = now.is_ready() ? "true" : "false";
  std::string out = "{\"ready\":" + ready + ",\"reasons\":[" + reasons + "]";
  if (!now.behind.empty()) json::append_quoted(out += ",\"behind\":", now.behind);
  return out + "}\n";
}

}  // namespace tofud::operations
