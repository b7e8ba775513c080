// Who takes the body of a request, piece by piece.
#pragma once

#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace tofud::http {

/// Takes the body of one request, or a raw stream; destroyed when the request is over, however it
/// ends. Called on the loop, never from within one of its own calls. The functions it is given may
/// be called at once, later, after the connection is gone (nothing happens then) or never: dropped
/// uncalled, the request ends with a 500. They are called on the loop, too.
class body_taker {
 public:
  body_taker() = default;
  body_taker(const body_taker&) = delete;
  body_taker& operator=(const body_taker&) = delete;
  virtual ~body_taker() = default;
  /// The next bytes, never none. `next` is called once, at once or later: until then nothing more
  /// is read (a slow disk slows the sender). With a response: the request ends with it.
  virtual void take(std::string bytes, std::function<void(std::optional<response>)> next) = 0;
  /// All of it came.
  virtual void end(std::function<void(response)> answer) = 0;
  /// The connection went, stalled or sent nonsense before the body's end.
  virtual void broken() noexcept {}
};

/// Looks at a request's head: refuses it, or says who takes the body. `request` lives for the call.
using body_opener =
    std::function<std::variant<response, std::unique_ptr<body_taker>>(const request&)>;

struct body_rules {
  std::uint64_t most_bytes;  // over it: 413
  /// Without a byte for so long the request ends with 408; nothing: waits for ever (a stream).
  std::optional<std::chrono::milliseconds> stalled_after;
  /// All of it has to come within; nothing: as long as it takes.
  std::optional<std::chrono::milliseconds> within{};
};

}  // namespace tofud::http
