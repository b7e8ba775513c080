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

struct message {
  std::string subject;
  std::string reply;  // empty: nobody waits for an answer
  std::vector<header> headers;
  std::string data;

  /// Empty: there is none of that name.
  std::string_view header_of(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(),
                                    [&](const header& each) { return each.name == name; });
    return found == headers.end() ? std::string_view{} : std::string_view{found->value};
  }
};

}  // namespace tofud::cluster
