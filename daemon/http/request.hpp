// A request head as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::http {

struct header {
  std::string name, value;
};

enum class http_version : std::uint8_t { v1_0, v1_1 };

/// By which door it came: a TCP port, or the Unix socket.
enum class transport : std::uint8_t { tcp, local };

struct request {
  std::string method;  // as sent
  std::string target;  // as sent
  std::string path;    // of the target, still percent-encoded
  std::string query;   // of the target, without `?`, still percent-encoded
  http_version version = http_version::v1_1;
  transport via = transport::tcp;
  bool encrypted = false;             // TLS ends here
  std::string peer;                   // the address at the other end; empty on the Unix socket
  std::vector<header> headers;        // names in lower case, in order
  std::vector<std::string> captures;  // of the route's `*` segments, percent-decoded

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
  bool is_head() const { return method == "HEAD"; }
};

bool equal_without_case(std::string_view a, std::string_view b);

}  // namespace tofud::http
