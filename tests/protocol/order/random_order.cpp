#include "tests/protocol/order/random_order.hpp"

#include <string>
#include <vector>

namespace tofud::test {

using order::vertex;

order::order random_order(std::mt19937& chance, const random_shape& shape) {
  order::order made;
  std::vector<vertex> all;  // each behind some of those before it
  const auto behind_some = [&](vertex to) {
    for (std::size_t left = below(chance, shape.befores + 1); left > 0 && !all.empty(); --left)
      made.connect(all[below(chance, all.size())], to, order::origin::configuration);
  };
  std::size_t operations = 0, block = 0, hubs = 0;
  while (operations < shape.operations) {
    if (hubs < shape.hubs && below(chance, shape.operations) < shape.hubs) {
      ++hubs;
      const vertex hub = made.add_hub();
      behind_some(hub);
      all.push_back(hub);
      continue;
    }
    const std::string name = "t.b" + std::to_string(block++);
    const std::size_t instances = 1 + below(chance, shape.instances);
    const bool together = below(chance, 4) > 0;
    vertex begun = made.add_hub(), done = made.add_hub();
    behind_some(begun);
    for (std::size_t i = 0; i < instances && operations < shape.operations; ++i, ++operations) {
      order::operation what{instances == 1 ? name : name + "[" + std::to_string(i) + "]"};
      if (below(chance, 5) == 0) what.what = order::effect::remove;
      const vertex each = made.add(what);
      if (together)
        made.connect(begun, each, order::origin::configuration);
      else
        behind_some(each);
      made.connect(each, done, order::origin::configuration);
      if (below(chance, 6) == 0) all.push_back(each);
    }
    all.push_back(done);
  }
  return made;
}

}  // namespace tofud::test
