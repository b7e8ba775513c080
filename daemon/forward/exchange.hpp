// One request of an upload and its answer, as values: what the machine says and the connection
// carries.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tofud::forward {

struct header {
  std::string name, value;
  bool operator==(const header&) const = default;
};

struct request {
  std::string method, target;
  std::vector<header> headers;  // without those that any HTTP client sends
  std::string body;
  std::chrono::milliseconds more_time{0};  // beyond patience::answer
};

/// Header values are as they came, empty where there was none.
struct response {
  unsigned status = 0;
  std::string upload_offset, upload_complete, retry_after;
  std::string body;
};

}  // namespace tofud::forward
