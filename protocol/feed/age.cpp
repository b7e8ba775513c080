#include "protocol/feed/age.hpp"

#include "protocol/feed/limits.hpp"

#include <algorithm>

namespace tofud::feed {

using std::chrono::microseconds;

ui::time_point by_our_clock(ui::time_point stamp, const std::optional<microseconds>& offset,
                            run_goes_on live) {
  if (!offset) return stamp;
  if (live == run_goes_on::no && *offset > limits::late_upload) return stamp;
  return stamp + *offset;
}

microseconds age(ui::time_point stamp, const std::optional<microseconds>& offset, run_goes_on live,
                 ui::time_point now) {
  return std::max<microseconds>(now - by_our_clock(stamp, offset, live), microseconds::zero());
}

}  // namespace tofud::feed
