#include "daemon/wall/lock_holder.hpp"

#include "daemon/wall/limits.hpp"
#include "protocol/feed/age.hpp"

#include <cstddef>

namespace tofud::wall {
namespace {

using feed::lock_state;
using feed::run_command;
using feed::run_status;

bool was_on(const run_facts& run, ui::time_point created) {
  if (!run.started_at || *run.started_at > created + limits::stamps_apart) return false;
  if (goes_on(run)) return true;
  const auto& last = run.ended_at ? run.ended_at : run.last_line_at;
  return last && *last >= created - limits::stamps_apart;
}

lock_state state_of(const run_facts& holder, const run_facts& stopped) {
  if (goes_on(holder)) {
    return holder.contact == feed::run_contact::lost ? lock_state::abandoned : lock_state::held;
  }
  if (holder.status == run_status::interrupted || holder.status == run_status::lost) {
    return lock_state::abandoned;
  }
  // One that came to its end gives its lock back there. Whoever still met it later met what was
  // left behind.
  const auto end = ended(holder);
  const auto met = stopped.locked_out->at;
  if (!end || !met) return lock_state::released;
  const auto met_at = feed::by_our_clock(*met, stopped.clock_offset, feed::run_goes_on::no);
  return *end + limits::stamps_apart < met_at ? lock_state::abandoned : lock_state::released;
}

}  // namespace

bool fits(const run_facts& run, std::string_view operation) {
  if (run.command == run_command::test) return false;  // tests keep their state to themselves
  if (!run.command_told || operation.empty()) return true;
  if (operation == "OperationTypeApply") {
    return is_apply(run) || run.command == run_command::refresh;
  }
  if (operation == "OperationTypePlan") return run.command == run_command::plan;
  if (operation == "OperationTypeRefresh") return run.command == run_command::refresh;
  return feed::stands_aside(run.command);  // import, taint, state mv, init …
}

feed::stack_lock holder_of(const run_facts& stopped, const std::vector<const run_list*>& runs) {
  const lock_info& lock = stopped.locked_out->lock;
  feed::stack_lock found{stopped.id, lock.id,      lock.path,       lock.operation,
                         lock.who,   lock.version, lock.created_at, lock_state::somebody_else,
                         ""};
  if (!lock.created_at) return found;
  const run_facts* holder = nullptr;
  for (const run_list* list : runs) {
    std::size_t looked_at = 0;
    for (const run_facts* run : *list) {
      if (++looked_at > limits::runs_of_a_card) break;
      if (run == &stopped || !was_on(*run, *lock.created_at) || !fits(*run, lock.operation)) {
        continue;
      }
      // The lock is taken right after the start: of several the last to start before.
      if (holder == nullptr || *holder->started_at < *run->started_at) holder = run;
    }
  }
  if (holder == nullptr) return found;
  found.holder = holder->id;
  found.state = state_of(*holder, stopped);
  return found;
}

}  // namespace tofud::wall
