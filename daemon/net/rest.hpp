// A coroutine that does nothing for a while.
#pragma once

#include "daemon/net/task.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>

namespace tofud::net {

task<bool> rest(boost::asio::io_context& io, std::chrono::milliseconds time);

}  // namespace tofud::net
