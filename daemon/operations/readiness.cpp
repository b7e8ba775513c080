#include "daemon/operations/readiness.hpp"

namespace tofud::operations {

std::string as_text(const readiness& now) {
  std::string out;
  if (now.to_recover > 0) out += "recovering: " + std::to_string(now.to_recover) + " runs\n";
  if (now.draining) out += "draining\n";
  return out.empty() ? "ready\n" : out;
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
  const std::string ready = now.is_ready() ? "true" : "false";
  return "{\"ready\":" + ready + ",\"reasons\":[" + reasons + "]}\n";
}

}  // namespace tofud::operations
