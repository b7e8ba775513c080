// What a run is applied to and which plan file it is about, from the command and where it runs.
#pragma once

#include "daemon/stack/stack_name.hpp"
#include "daemon/stack/tofu_command.hpp"
#include "protocol/feed/row.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::stack {

/// Where a command runs that this process is to start.
stack::command_place place_of(const stack::tofu_command& command);

/// What a command says of the run that it is; empty where it can't be told.
struct run_facts {
  std::string stack;
  std::string commit;         // HEAD of the repository it runs in
  std::string plan_out;       // of `plan -out=FILE`: the file, from the root
  std::string plan_argument;  // of `apply FILE`
  std::vector<std::string> argv;
  std::string directory;                     // of the root module, absolute
  std::optional<feed::run_command> command;  // nothing: the command is not known
  std::uint64_t parallelism = 0;             // operations at once; 0: not said
  /// A plan that is there to find what was changed outside of OpenTofu: with -refresh-only, or in a
  /// scheduled job with -detailed-exitcode.
  bool looks_for_drift = false;
};

/// Of a command that runs there.
run_facts run_facts_of(const stack::tofu_command& command, const stack::command_place& place);

/// Of the process that writes into the pipe with that inode. A
/// shell may not have become tofu yet: it is looked at again, for at most a fifth of a second,
/// while `stored` is 0, that is as long as it has not said anything.
run_facts run_facts_of_pipe(std::uint64_t inode, const std::atomic<std::uint64_t>& stored);

}  // namespace tofud::stack
