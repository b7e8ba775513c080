// Which handler answers which path. Handlers come from the pipeline; this room knows none of them.
#pragma once

#include "daemon/http/request.hpp"
#include "daemon/http/response.hpp"
#include "daemon/http/socket.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::http {

/// A connection whose request asks for a stream.
struct handover {
  tcp_socket& socket;  // moved from by who takes the connection
  const request& asked;
  std::string& read_ahead;       // bytes that came after the head; to be taken with the socket
  std::shared_ptr<void> ticket;  // counts the connection; to be kept as long as the socket
};

class router {
 public:
  using answer = std::function<response(const request&)>;
  /// Takes the connection and returns nothing, or leaves it alone and returns the answer.
  using stream = std::function<std::optional<response>(handover&)>;

  /// `pattern` is a path in which a segment `*` stands for any one segment (request::captures).
  void get(std::string pattern, answer handler);
  void get_stream(std::string pattern, stream handler);

  struct found {
    const answer* plain = nullptr;
    const stream* streaming = nullptr;
  };
  /// Fills `asked.captures`. Both null: there is no such path.
  found find(request& asked) const;

 private:
  struct route {
    std::string pattern;
    answer plain;
    stream streaming;
  };
  std::vector<route> routes_;
};

}  // namespace tofud::http
