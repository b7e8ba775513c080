// Any bytes as what happens to an upload: requests that are lost, cut off, doubled and late,
// daemons that refuse and forget. In the end the daemon has the stream, byte for byte.
#include "tests/forward/rough_journey.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  // Two bytes a choice; when there are no more the road is calm and of some length.
  tofud::forward::rough_journey journey{[&](std::size_t below) -> std::size_t {
    if (at + 2 > size) return (at++ * 7 + below / 2) % below;
    const std::size_t choice = data[at] + 256U * data[at + 1];
    at += 2;
    return choice % below;
  }};
  journey.travel();
  const std::string fault = journey.fault();
  if (fault.empty()) return 0;
  std::cerr << fault << "\n";
  std::abort();
}
