// Coroutines of the loop, and what they wait for besides sockets.
//
// GCC 12.2 destroys twice what is made in the expression of a co_await: closures with captures,
// aggregates, both sides of a `?:`. So what is awaited gets a name first:
//
//   auto storing = run.append(std::move(bytes));
//   const std::string failure = co_await std::move(storing);
#pragma once

#include "daemon/net/socket.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace tofud::net {

/// Begins when it is awaited, and goes on by the loop. What it refers to lives until it is over:
/// objects that others may let go of are held by the coroutine itself.
template <class T>
using task = boost::asio::awaitable<T, executor>;

/// The first value that `start` gives to the function it is called with, at once or later, on the
/// loop. If that function is destroyed uncalled, so is the coroutine that waits.
template <class T>
task<T> given(std::function<void(std::function<void(T)>)> start) {
  const auto begin = [](auto handler, const std::function<void(std::function<void(T)>)>& starts) {
    struct waiting {
      decltype(handler) resume;
      bool starting = true, given = false;
    };
    const auto executes = boost::asio::get_associated_executor(handler);
    const auto kept = std::make_shared<waiting>(waiting{std::move(handler)});
    starts([kept, executes](T value) {
      if (std::exchange(kept->given, true)) return;
      if (!kept->starting) return std::move(kept->resume)(std::move(value));
      // The coroutine is not asleep yet.
      boost::asio::post(executes, [kept, value = std::move(value)]() mutable {
        std::move(kept->resume)(std::move(value));
      });
    });
    kept->starting = false;
  };
  using token = boost::asio::use_awaitable_t<executor>;
  token as_awaitable;
  auto waiting = boost::asio::async_initiate<token, void(T)>(begin, as_awaitable, std::move(start));
  co_return co_await std::move(waiting);
}

}  // namespace tofud::net
