// Stacks summed up, of what somebody may see.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/net/task.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/wall/stack_summary.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::serve {

struct summed_stacks {
  std::vector<wall::stack_summary> stacks;  // by name
  std::string next;                         // the last name, if there are more; else empty
};

struct wanted_stacks {
  std::string after;  // a name; empty: from the first on
  std::size_t limit = 0;
  ui::time_point now;
};

/// In turns of the loop, in which runs come and go. `by` lives until it is over.
net::task<summed_stacks> summaries_of(boost::asio::io_context& io, const kept_streams& runs,
                                      const access::principal& by, wanted_stacks wanted);

}  // namespace tofud::serve
