// A request head as values.
#pragma once

#include "protocol/text/ascii.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::access {
struct principal;
}

namespace tofud::http {

/// upgrade_head.hpp
struct upgrade_head;

struct header {
  std::string name, value;
};

enum class http_version : std::uint8_t { v1_0, v1_1 };

/// By which kind of socket it came.
enum class transport : std::uint8_t { tcp, local };

/// Who is at the other end of a connection, as the kernel says.
struct peer {
  std::string address;                 // of TCP; empty: the Unix socket
  bool is_ours = false;                // a process of this machine, of our user or root's
  bool is_admitted = false;            // the mode of the Unix socket's file let it in
  std::optional<std::uint32_t> uid{};  // of a process of this machine; nothing: can't be told
};

struct request {
  std::string method;  // as sent
  std::string target;  // as sent
  std::string path;    // of the target, still percent-encoded
  std::string query;   // of the target, without `?`, still percent-encoded
  http_version version = http_version::v1_1;
  transport via = transport::tcp;
  peer from;
  std::uint16_t port = 0;      // of the TCP socket, even if it came by another; 0: there is none
  bool is_secure = false;      // came over TLS, or by a proxy that is believed and says so
  std::string forwarded_host;  // what such a proxy says stood in Host; empty: nothing
  std::string base;            // what stood before `path` and is no part of it, such as /tofud
  /// The Origin of another server's page that may ask and read the answer; empty: none of those
  /// asks. Answers differ by it if there are any.
  std::string other_page;
  bool varies_by_origin = false;
  std::vector<header> headers;                  // names in lower case, in order
  std::vector<std::string> captures;            // of the route's `*` segments, percent-decoded
  std::shared_ptr<const access::principal> by;  // nothing: nobody asked who it is
  bool is_known = false;                        // it is somebody: its client has shown who it is
  /// What may end before its answer does: a token, a session. Nothing: it can't; not empty: it has
  /// ended, and why.
  std::shared_ptr<const std::string> permit;
  /// When the token ends that was shown, RFC 3339; empty: not soon, or there is none.
  std::string token_ends;
  /// As it was parsed, where it asks for a WebSocket; who accepts that needs no second parsing.
  std::shared_ptr<const upgrade_head> upgrade;

  std::size_t count(std::string_view lower_name) const;
  /// The first header of that name; empty if there is none.
  std::string_view first(std::string_view lower_name) const;
  /// All headers of that name joined by commas.
  std::string joined(std::string_view lower_name) const;
  /// A header that is a comma-separated list holds `token` (compared without case).
  bool lists(std::string_view lower_name, std::string_view token) const;
  /// A parameter of the query, percent-decoded; nothing if it is missing or badly encoded.
  std::optional<std::string> parameter(std::string_view name) const;
  bool wants_websocket() const;
  /// The name it was sent to, as the client saw it.
  std::string_view host() const;
  /// A browser goes to a page of its own, not into a frame, nor does a script fetch it.
  bool is_page_visit() const;
  bool is_head() const { return method == "HEAD"; }
};

using text::equal_without_case;

/// A path's segments as the router understands them, each percent-decoded; one that can't be
/// decoded is "%", which fits nothing.
std::vector<std::string> segments_of(std::string_view path);

}  // namespace tofud::http
