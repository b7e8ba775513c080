// Where requests go: a Unix socket, or an address and port of this machine.
#pragma once

#include <cstdint>
#include <string>

namespace tofud::forward {

struct server_place {
  std::string socket;   // absolute path; empty: TCP
  std::string address;  // an IP address
  std::uint16_t port = 0;
  std::string host = "localhost";  // what requests say in `Host`
  std::string authorization = {};  // what they say in `Authorization`; empty: nothing
};

}  // namespace tofud::forward
