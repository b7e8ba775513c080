// Where requests go: a Unix socket, or a host and port.
#pragma once

#include "daemon/net/tls_client.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tofud::forward {

struct server_place {
  std::string socket;   // absolute path; empty: TCP
  std::string address;  // an IP address, or with TLS a name
  std::uint16_t port = 0;
  std::string host = "localhost";              // what requests say in `Host`
  std::shared_ptr<const net::tls_client> tls;  // empty: nothing is encrypted
  std::string authorization = {};              // in `Authorization`; empty: nothing
  std::string base = {};                       // before each path, such as "/tofud"
};

}  // namespace tofud::forward
