#include "daemon/wall/clock_offset.hpp"

#include <algorithm>

namespace tofud::wall {

using std::chrono::microseconds;

void clock_offset::arrived(ui::time_point at, ui::time_point greatest_stamp) {
  const microseconds apart = at - greatest_stamp;
  smallest_ = smallest_ ? std::min(*smallest_, apart) : apart;
}

}  // namespace tofud::wall
