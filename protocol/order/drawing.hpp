// An order as others draw or read it: JSON, DOT and Mermaid.
#pragma once

#include "protocol/order/order.hpp"

#include <string>

namespace tofud::order {

/// {"format":"tofud.graph.v1","nodes":[
///  {"id":0,"address":"aws_vpc.main","action":"create"},
///  {"id":1,"address":"aws_vpc.old","action":"delete","deposed":"4a1b"},
///  {"id":2,"group":"aws_subnet.a"},…],
///  "edges":[{"before":0,"after":2,"origin":"configuration"},…]}
///
/// A group stands for many edges: all before it come before all behind it. `group` says what it is
/// of, a text for people. `origin` is "configuration", "state" or "plan".
std::string to_json(const order& of);
/// For Graphviz.
std::string to_dot(const order& of);
/// A flowchart of Mermaid.
std::string to_mermaid(const order& of);

}  // namespace tofud::order
