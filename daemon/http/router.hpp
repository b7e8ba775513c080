// Which handler answers which method and path. Handlers come from outside; this room knows none.
#pragma once

#include "daemon/http/body_taker.hpp"
#include "daemon/http/handover.hpp"
#include "daemon/http/message/limits.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/http/socket.hpp"
#include "daemon/net/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tofud::http {

/// In every `pattern` a segment `*` stands for any one segment (request::captures). Of the routes
/// that fit a path and a method the first one answers; HEAD is answered by the GET route if it has
/// none of its own. Requests given to handlers live for the call.
class router {
 public:
  using answer = std::function<response(const request&)>;
  /// Takes the connection and returns nothing, or leaves it alone and returns the answer.
  using stream = std::function<std::optional<response>(handover&)>;
  /// Gives its answer at once or later, on the loop; after the connection is gone nothing happens.
  using later = std::function<void(const request&, std::function<void(response)> answer)>;
  /// The same, with the whole body.
  using whole =
      std::function<void(const request&, std::string body, std::function<void(response)> answer)>;
  struct body {
    body_rules rules;
    body_opener open;
  };

  /// Of a body that is wanted whole nothing may come for so long.
  explicit router(std::chrono::milliseconds body_stalled_after = limits::body_stalled_after)
      : body_stalled_after_{body_stalled_after} {}

  using any_handler = std::variant<answer, stream, later, body>;

  void get(std::string pattern, answer handler);
  /// The same for HEAD, DELETE, POST without a body, …
  void answer_now(std::string method, std::string pattern, answer handler);
  void get_stream(std::string pattern, stream handler);
  /// For requests without a body; `method` is GET, HEAD, DELETE, …
  void answer_later(std::string method, std::string pattern, later handler);
  /// Bodies are taken in pieces as they come. A request without one has an empty one.
  void take(std::string method, std::string pattern, body_rules rules, body_opener open);
  /// Bodies of at most `most_bytes` are given to the handler when they are whole; one that stalls
  /// or takes longer than limits::body_time is refused.
  void take_whole(std::string method, std::string pattern, std::size_t most_bytes, whole handler);

  /// Called once what a request needs is there: nothing, and it is routed, or why it can't be.
  using when_ready = std::function<void(std::optional<response> refused)>;
  /// Asked before a request is routed. False: it goes on when `ready` is called, at once or
  /// later. For what must be loaded first. There is one at most.
  void before(std::function<bool(const request&, when_ready ready)> prepare);

  /// What refusals say goes through this: they repeat what was asked. There is one at most.
  void hide_in_refusals(std::function<std::string(std::string_view)> hide) {
    hide_ = std::move(hide);
  }
  void hide_in(response& answer) const {
    if (hide_ && answer.status >= 400) answer.body = hide_(answer.body);
  }

  struct found {
    const any_handler* by = nullptr;
    std::string allow;  // if `by` is null: the methods of that path; empty: there is no such path
  };
  /// Fills `asked.captures`, and counts the request for its route.
  found find(request& asked);
  struct counted_route {
    std::string_view method, pattern;
    std::uint64_t requests = 0;
  };
  /// Every route there is, in the order in which they were added, and how often it was asked.
  std::vector<counted_route> counted() const;
  /// What `before` was given; empty: nothing.
  const auto& preparation() const { return prepare_; }

 private:
  struct route {
    std::string method, pattern;
    any_handler by;
    std::uint64_t requests = 0;
  };
  std::chrono::milliseconds body_stalled_after_;
  std::vector<route> routes_;
  std::function<bool(const request&, when_ready)> prepare_;
  std::function<std::string(std::string_view)> hide_;
};

}  // namespace tofud::http
