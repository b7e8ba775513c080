// Stacks summed up, of what somebody may see.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/net/task.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/wall/stack_summary.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace tofud::serve {

struct wanted_stacks {
  std::string after;  // a name; empty: from the first on
  std::size_t limit = 0;
  ui::time_point now;
};

/// Gives them to `take`, by name, in turns of the loop, in which runs come and go. Returns the last
/// name if there are more, else an empty one. `by` lives until it is over.
net::task<std::string> each_stack(boost::asio::io_context& io, const kept_streams& runs,
                                  const access::principal& by, wanted_stacks wanted,
                                  std::function<void(wall::stack_summary)> take);

}  // namespace tofud::serve
