// Operations as a row names them, worked out plainly from the operations themselves.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/order/order.hpp"

#include <vector>

namespace tofud::test {

feed::named_operations named(const order::order& of, const std::vector<order::vertex>& some);

}  // namespace tofud::test
