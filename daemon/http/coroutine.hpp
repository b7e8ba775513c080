// Handlers written as coroutines: they read top to bottom and never see who waits for them.
#pragma once

#include "daemon/http/body_taker.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/http/router.hpp"
#include "daemon/net/task.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud::http {

/// The body of a request on its way to a coroutine. Its connection fills it, a piece at a time.
class body {
 public:
  enum class came : std::uint8_t {
    piece,
    end,     // all of it came
    broken,  // the connection went, stalled or sent nonsense before the end
  };
  body() = default;
  body(const body&) = delete;
  body& operator=(const body&) = delete;
  ~body() = default;

  /// The next bytes, never none with `piece`; nothing more is read before they are asked for (a
  /// slow disk slows the sender). After `end` and `broken` the same again.
  net::task<came> next(std::string& piece);
  /// Whether the connection is gone: nobody waits for the answer.
  bool is_broken() const { return state_ == came::broken; }

 private:
  friend class coroutine_taker;
  void wake();

  came state_ = came::piece;
  std::string piece_;                                        // not taken yet
  std::function<void(std::optional<response>)> next_piece_;  // empty: none is to be asked for
  std::function<void(came)> waiting_;                        // empty: nobody waits
};

/// The coroutine outlives its connection: what it awaits is done to its end. An exception is
/// answered with 500.
using body_coroutine = std::function<net::task<response>(std::shared_ptr<body>)>;

/// What happens with a body whose coroutine has answered before its end.
enum class early_answer : std::uint8_t {
  at_once,  // the request ends with it
  at_end,   // the rest is read and forgotten: who sends it may be an apply, which a closed pipe
            // would kill
};

std::unique_ptr<body_taker> taken_by(boost::asio::io_context& io, const body_coroutine& takes,
                                     early_answer when = early_answer::at_once);

/// The request is the coroutine's own.
router::later answered_by(boost::asio::io_context& io,
                          std::function<net::task<response>(request)> answers);
router::whole answered_by(boost::asio::io_context& io,
                          std::function<net::task<response>(request, std::string body)> answers);

}  // namespace tofud::http
