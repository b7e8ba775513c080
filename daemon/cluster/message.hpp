// A message of NATS. https://docs.nats.io/reference/reference-protocols/nats-protocol
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::cluster {

struct header {
  std::string name, value;
};

/// Of a header's name; empty: there is none.
inline std::string_view value_of(const std::vector<header>& headers, std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const header& each) { return each.name == name; });
  return found == headers.end() ? std::string_view{} : std::string_view{found->value};
}

struct message {
  std::string subject;
  std::string reply;  // empty: nobody waits for an answer
  std::vector<header> headers;
  std::string data;

  std::string_view header_of(std::string_view name) const { return value_of(headers, name); }
};

}  // namespace tofud::cluster
