#include "daemon/cli/recovery/recovered_lock.hpp"

#include "daemon/wall/limits.hpp"

#include <string_view>

namespace tofud::recovery {
namespace {

using recover::certainty;
using recover::statement;

/// A lock is taken right after the start, by the clock that stamps the lines.
bool is_of(const feed::run_view& run, const wall::lock_info& lock) {
  if (!lock.created_at || !run.started_at || !run.last_line_at) return false;
  return *lock.created_at + limits::stamps_apart >= *run.started_at &&
         *lock.created_at <= *run.last_line_at + limits::stamps_apart;
}

std::string described(const wall::lock_info& lock) {
  std::string text;
  for (const std::string_view part :
       {std::string_view{lock.operation}, std::string_view{lock.who}}) {
    if (!part.empty()) text.append(text.empty() ? " (" : ", ").append(part);
  }
  if (lock.created_at) {
    text += text.empty() ? " (created " : ", created ";
    ui::append_timestamp(text, *lock.created_at);
  }
  return text.empty() ? text : text + ")";
}

void say_unknown(std::vector<statement>& said) {
  said.push_back({certainty::unknown,
                  "the id of the state's lock: a stream does not contain its own run's lock, and "
                  "tofud found no lock file and no later run that failed on the lock"});
  said.push_back(
      {certainty::candidate,
       "if the state is still locked, `tofu plan` prints the ID; then run tofu force-unlock ID"});
}

}  // namespace

// A killed run gives nothing back, nor may one that was interrupted twice and left its steps; one
// that came to its end did.
bool may_have_left_lock(const feed::run_view& run) {
  constexpr int by_signal = 128;
  if (run.exit_status && *run.exit_status > by_signal) return true;
  if (run.status == feed::run_status::lost) return true;
  constexpr auto left = static_cast<std::size_t>(feed::resource_status::interrupted);
  return run.status == feed::run_status::interrupted && run.counts[left] > 0;
}

std::vector<statement> statements_of(const std::optional<found_lock>& found,
                                     const feed::run_view& run) {
  std::vector<statement> said;
  if (!found) {
    if (may_have_left_lock(run)) say_unknown(said);
    return said;
  }
  const wall::lock_info& lock = found->lock;
  said.push_back({certainty::fact, found->source + " names the lock " + lock.id + described(lock)});
  if (is_of(run, lock)) {
    said.push_back({certainty::candidate, "this run took it: it was made during the run"});
  } else {
    said.push_back({certainty::unknown, "who took that lock: it was not made during this run"});
  }
  if (found->of_a_file) {
    said.push_back({certainty::candidate,
                    "nothing to unlock: the lock of a local state ends with its process, and the "
                    "next command takes the lock file over"});
  }
  said.push_back({certainty::candidate,
                  "if the state is still locked and nobody is using it, run tofu force-unlock " +
                      recover::shell_quoted(lock.id)});
  return said;
}

}  // namespace tofud::recovery
