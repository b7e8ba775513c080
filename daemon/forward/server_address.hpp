// Where a daemon is: `http://HOST:PORT`, `unix:PATH`, or an absolute path.
#pragma once

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::forward {

struct server_address {
  std::string path;  // of a Unix socket; empty: a port of this machine
  std::string host;  // an address of loopback, without brackets
  std::uint16_t port = 0;

  /// As people write it, and as it is kept beside a spool; parse_server reads it again.
  std::string text() const;
  bool operator==(const server_address&) const = default;
};

/// The failure is a sentence that says what to write instead.
boost::system::result<server_address, std::string> parse_server(std::string_view text);

}  // namespace tofud::forward
