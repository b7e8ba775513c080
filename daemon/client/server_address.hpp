// Where a daemon is: what --server and TOFUD_SERVER say, or a socket at a usual place.
#pragma once

#include "daemon/net/tls_client.hpp"
#include "daemon/spool/spool_place.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::client {

/// A daemon's Unix socket, or a host and port: of this machine, or of any with TLS.
struct server_address {
  std::uint16_t port = 0;  // with `host`
  std::string host;    // as in a URL without brackets, such as "127.0.0.1", "localhost" or "::1"
  std::string socket;  // absolute path; empty: TCP
  bool tls = false;
  std::string base = {};  // what a proxy has before our paths, such as "/tofud"; empty: nothing
  bool is_local() const { return !socket.empty(); }
  bool operator==(const server_address&) const = default;
};

/// Reads `https://HOST[:PORT][/BASE]`, `http://HOST:PORT[/BASE]`, `unix:/path/to.sock` or an
/// absolute path. Behind `http:` HOST is one of this machine (localhost, 127.x.x.x or [::1]), since
/// nothing is encrypted.
text::result<server_address> parse_server_address(std::string_view text);

/// As `parse_server_address` reads it.
std::string to_string(const server_address& address);

/// What verifies that daemon, from the authorities of `$TOFUD_CA_FILE`, else of the system; empty
/// without TLS.
text::result<std::shared_ptr<const net::tls_client>> tls_for(const server_address& address,
                                                             const spool::environment& env);

/// What goes into a request's `Host`.
std::string host_header(const server_address& address);

/// Sockets of a daemon that nobody named, best first: `$XDG_RUNTIME_DIR/tofud/tofud.sock`, then
/// `/run/tofud/tofud.sock`. They need not exist.
std::vector<std::string> default_sockets(const spool::environment& env);

enum class server_wish : std::uint8_t { none, named, found };

/// Which daemon a command is meant to talk to, if any.
struct chosen_server {
  server_wish wish = server_wish::none;
  server_address address;  // unless `none`
};

/// `--no-server`, `--server` (empty: not given), `TOFUD_SERVER` if not empty (`none`: no daemon),
/// else the first default socket that is there. One that was named has to answer; one that was
/// found may be left over from a daemon that is gone. The failure is about what was
/// given.
text::result<chosen_server> choose_server(const std::string& given, bool no_server,
                                          const spool::environment& env);

}  // namespace tofud::client
