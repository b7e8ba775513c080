#include "daemon/registry/run_rows.hpp"

#include "daemon/registry/run_registry.hpp"
#include "protocol/feed/encode.hpp"

#include <string>
#include <utility>

namespace tofud::registry {

run_rows::run_rows(fanout::wall& on, std::size_t most, std::shared_ptr<const access::reach> within)
    : on_{on}, most_{most}, within_{std::move(within)} {}

bool run_rows::sees(const shown_run& run) const {
  return !within_ || within_->holds(run.last.stack, run.of->granted());
}

void run_rows::make_room() {
  for (auto oldest = in_order_.begin(); in_order_.size() >= most_ && oldest != in_order_.end();) {
    if ((*oldest)->of->goes_on()) {
      ++oldest;
      continue;
    }
    const auto row = numbers_.extract(*oldest);
    on_.remove(row.mapped());
    oldest = in_order_.erase(oldest);
  }
}

void run_rows::show(shown_run& run) {
  if (has(run) || !sees(run)) return;
  make_room();
  const auto row =
      on_.add(feed::row_kind::run, run.id(),
              [&run](std::string& out, feed::sequence seq) { feed::encode(out, run.view(), seq); });
  numbers_.emplace(&run, row);
  in_order_.push_back(&run);
}

void run_rows::changed(shown_run& run) {
  show(run);
  if (const auto row = numbers_.find(&run); row != numbers_.end()) on_.changed(row->second);
}

void run_rows::remove(shown_run& run) {
  const auto row = numbers_.extract(&run);
  if (row.empty()) return;
  on_.remove(row.mapped());
  std::erase(in_order_, &run);
}

}  // namespace tofud::registry
