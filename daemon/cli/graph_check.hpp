// `tofud graph --check`: whether the stream of an apply went by an order.
#pragma once

#include "protocol/order/order.hpp"

#include <string>
#include <vector>

namespace tofud::cli {

/// "create aws_vpc.a", "delete aws_vpc.a (deposed 4a1b)".
std::string name_of(const order::operation& what);

/// Names of operations; more than limits::blockers_named of one block are the block: "create
/// aws_vpc.a[*] (12)".
std::vector<std::string> blockers(const order::order& of, const std::vector<order::vertex>& some);

/// The exit status: 0 if it did, 1 if it did not, which is printed, 2 if it can't be read.
int check_stream(const order::order& of, const std::string& path);

}  // namespace tofud::cli
