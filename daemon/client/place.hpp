// Where a daemon is, and what can go wrong on the way there.
#pragma once

#include "daemon/net/tls_client.hpp"
#include "protocol/text/failure.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tofud::client {

struct place {
  std::string socket;                          // path of a Unix socket; empty: TCP
  std::string host;                            // name or address
  std::uint16_t port = 0;                      // with `host`
  std::string header;                          // what goes into `Host`
  std::shared_ptr<const net::tls_client> tls;  // empty: nothing is encrypted
  std::string shown;  // in sentences, such as "http://127.0.0.1:8638"; of TCP an address of the web
  std::string authorization = {};  // what goes into `Authorization`; empty: nothing
  std::string base = {};           // before each path, such as "/tofud"
  bool public_only = false;        // whatever its name leads to: no address that is_private
  bool is_daemon = true;           // of ours, as far as sentences go
};

enum class trouble : std::uint8_t {
  absent,        // nobody listens there
  silent,        // the connection broke, or nothing came in time
  other_server,  // who answers is no tofud
  not_found,     // there is no such run, or no more
  refused,       // asked for what it does not give
};

struct failure {
  trouble what = trouble::absent;
  std::string sentence;

  /// For who does not ask what it was: client::error::no_answer.
  text::failure passed_on() const;
};

}  // namespace tofud::client
