// The stack of a run, from where its command runs.
#pragma once

#include "daemon/stack/stack_name.hpp"
#include "daemon/wrapper/tofu_command.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace tofud {

/// Where a command runs that this process is to start.
stack::command_place place_of(const wrapper::tofu_command& command);

/// The stack of the process that writes into the pipe with that inode; empty if it can't be told. A
/// shell may not have become tofu yet: it is looked at again, for at most a fifth of a second,
/// while `stored` is 0, that is as long as it has not said anything.
std::string stack_of_pipe(std::uint64_t inode, const std::atomic<std::uint64_t>& stored);

}  // namespace tofud
