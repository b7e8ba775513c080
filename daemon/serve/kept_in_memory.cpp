// Which runs of kept_streams are in memory: those that somebody looks at and those that go on, as
// far as there is room (limits::memory_bytes).
#include "daemon/operations/held_memory.hpp"
#include "daemon/operations/log_event.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <utility>

namespace tofud::serve {
namespace {

std::string in_mib(std::size_t bytes) { return std::to_string(bytes / limits::mib) + " MiB"; }

}  // namespace

std::string kept_streams::why_full() const {
  const std::size_t rows = operations::memory_held(operations::memory_for::rows);
  if (rows <= may_take_.rows) return why_all_full();
  return "the running runs take " + in_mib(rows) + " of memory; the limit is " +
         in_mib(may_take_.rows) + " (limits.loaded_bytes)";
}

std::string kept_streams::why_all_full() const {
  const std::size_t held = operations::memory_held();
  if (held <= may_take_.all) return "";
  return "this daemon uses " + in_mib(held) + " of memory; the limit is " + in_mib(may_take_.all) +
         " (limits.memory_bytes); try again later";
}

std::string kept_streams::why_no_room_for(std::string_view id) const {
  const stream* of = stream_of(id);
  if (of == nullptr || has_room_for(*of)) return "";
  return "run " + of->run->id() + " took " + in_mib(of->let_go_at) +
         " of memory, more than there is; it is stored but not shown for now, try again later";
}

/// A run that had to go comes back when it would not have to go again.
bool kept_streams::has_room_for(const stream& which) const {
  if (which.let_go_at == 0) return true;
  const std::size_t wanted = which.let_go_at + which.let_go_at / 4;
  return operations::memory_held() + wanted <= may_take_.all / 4 * 3;
}

/// Beyond the budget what nobody looks at goes, the longest unused first. What goes on is folded
/// again when its sender is heard of and there is room. Where that is not enough for all that is
/// held, the largest go, those first that nobody looks at: they are stored, and not shown.
void kept_streams::look_after_memory() {
  std::vector<std::pair<stream*, std::size_t>> loaded;
  for (auto& [id, of] : streams_) {
    if (const std::size_t bytes = of.run->memory(); bytes > 0) loaded.emplace_back(&of, bytes);
  }
  if (why_full().empty()) return;
  walls_.drop_unused();
  std::sort(loaded.begin(), loaded.end(), [](const auto& a, const auto& b) {
    const auto rank = [](const stream* of) {
      return std::pair{!of->run->is_over(), of->run->used_at()};
    };
    return rank(a.first) < rank(b.first);
  });
  for (const auto& [each, bytes] : loaded) {
    const bool is_quiet = each->run->contact() != feed::run_contact::ok;
    if (!each->run->is_loaded() || watched(*each) || (!each->run->is_over() && !is_quiet)) continue;
    unload(*each);
    if (why_full().empty()) return;
  }
  std::sort(loaded.begin(), loaded.end(), [this](const auto& a, const auto& b) {
    const auto rank = [this](const auto& of) { return std::pair{!watched(*of.first), of.second}; };
    return rank(a) > rank(b);
  });
  for (const auto& [each, bytes] : loaded) {
    if (why_all_full().empty()) return;
    if (each->run->folded() == nullptr || each->run->is_kept_by_others()) continue;
    each->let_go_at = bytes;
    let_go(*each);
  }
}

void kept_streams::let_go(stream& which) {
  operations::log_warning(operations::events::run_remark, {which.run->id(), ""},
                          "run {} took {} of memory and is not shown for now, only stored: {}",
                          which.run->id(), in_mib(which.let_go_at), why_all_full());
  unload(which, {fanout::close_codes::busy,
                 "this daemon has no memory for the run's rows now; try again later"});
}

void kept_streams::unload_idle() {
  std::vector<stream*> idle;
  std::size_t finished = 0;
  for (auto& [id, of] : streams_) {
    if (!of.run->is_loaded() || !of.run->is_over()) continue;
    ++finished;
    if (!watched(of)) idle.push_back(&of);
  }
  std::sort(idle.begin(), idle.end(),
            [](const auto* a, const auto* b) { return a->run->used_at() < b->run->used_at(); });
  const auto now = ingested_run::steady::now();
  for (stream* each : idle) {
    const bool too_many = finished > limits::loaded_runs;
    if (!too_many && now - each->run->used_at() < limits::unloaded_after) return;
    unload(*each);
    --finished;
  }
}

}  // namespace tofud::serve
