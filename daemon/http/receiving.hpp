// Reading a body or a raw stream off a connection into its taker.
#pragma once

#include "daemon/http/body_taker.hpp"
#include "daemon/http/connection.hpp"
#include "daemon/http/message/body_framing.hpp"
#include "daemon/http/sending.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tofud::http {

/// One body that comes. It ends with an answer, or without one if the connection is no use any
/// more; by then the taker is gone.
struct arrival {
  arrival(const body_framing& found, const body_rules& bounds, std::unique_ptr<body_taker> by)
      : framing{found}, rules{bounds}, cutter{found, bounds.most_bytes}, taker{std::move(by)} {}

  /// All of it was read: another request may follow.
  bool is_over() const { return cutter.now() == chunked_decoder::state::done; }

  body_framing framing;
  body_rules rules;
  body_cutter cutter;
  std::unique_ptr<body_taker> taker;
  std::string ahead;  // bytes that came before; in the end, those that came after
  steady::time_point until = steady::time_point::max();  // of rules.within
  std::shared_ptr<const std::string> permit;             // request::permit
  bool wants_continue = false;                           // sends nothing before a `100 Continue`
  bool ended = false;                                    // the client said that this was all
  std::optional<response> answer;  // of the taker, or why it was not asked for one
};

boost::asio::awaitable<void, executor> receive(listener_state& state, connection& on,
                                               arrival& body);

/// Reads the rest of a stream and forgets it, however long it takes: who writes it is not to be
/// killed by a closed pipe.
boost::asio::awaitable<void, executor> drain(connection& on);

}  // namespace tofud::http
