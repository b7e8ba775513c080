// A list of very many small things.
#pragma once

#include <boost/container/deque.hpp>

namespace tofud::text {

/// Grows a block at a time: a vector moves all that it has when it grows, which takes a million
/// things 30 ms.
template <typename Value>
using grown_list =
    boost::container::deque<Value, void,
                            boost::container::deque_options_t<boost::container::block_size<256>>>;

}  // namespace tofud::text
