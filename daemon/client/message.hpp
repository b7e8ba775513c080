// A request to a daemon and its answer, as values.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::client {

struct header {
  std::string name, value;
  bool operator==(const header&) const = default;
};

struct request {
  std::string method, target;
  std::vector<header> headers = {};  // without those that any HTTP client sends
  std::string body = {};
  std::chrono::milliseconds more_time{0};  // beyond patience::answer
};

struct response {
  unsigned status = 0;
  std::vector<header> headers = {};
  std::string body = {};
  /// The first value of a field, its name in any case; empty: there is none.
  std::string_view first(std::string_view name) const;
};

}  // namespace tofud::client
