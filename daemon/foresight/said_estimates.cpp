#include "daemon/foresight/said_estimates.hpp"

#include "daemon/foresight/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tofud::foresight {
namespace {

using seconds = std::chrono::duration<double>;

bool came_to_its_end(feed::run_status status) {
  return status == feed::run_status::succeeded || status == feed::run_status::failed;
}

}  // namespace

void said_estimates::say(ui::time_point at, const feed::run_estimate* estimate) {
  const bool says = estimate != nullptr && !estimate->overrun;
  if (all_.size() >= limits::said_remembered) {
    // Every other one goes: what is left is as dense everywhere.
    std::size_t place = 0;
    for (std::size_t i = 0; i < all_.size(); i += 2) all_[place++] = all_[i];
    all_.resize(place);
  }
  all_.push_back({at, says ? estimate->p50 : -1, says ? estimate->p80 : -1});
}

const said_estimates::said* said_estimates::at(ui::time_point moment) const {
  const auto after =
      std::upper_bound(all_.begin(), all_.end(), moment,
                       [](ui::time_point one, const said& other) { return one < other.at; });
  return after == all_.begin() ? nullptr : &*(after - 1);
}

std::vector<history::said_estimate> said_estimates::judged(const correlator::run_state& run) const {
  std::vector<history::said_estimate> made;
  if (!came_to_its_end(run.view().status)) return made;
  const auto from = run.applied_from(), to = run.applied_to();
  if (!from || !to || *to <= *from) return made;
  for (const std::uint8_t part : history::judged_at) {
    const auto moment = *from + (*to - *from) * part / 100;
    const said* found = at(moment);
    if (found == nullptr || found->p50 < 0) continue;
    // The end that was named then.
    const double since = seconds{moment - found->at}.count();
    made.push_back({part, std::max(0.0, found->p50 - since), std::max(0.0, found->p80 - since),
                    seconds{*to - moment}.count()});
  }
  return made;
}

}  // namespace tofud::foresight
