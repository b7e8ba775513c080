// Any bytes as a configuration whose blocks are put in order, and as a state file beside it; what a
// zero byte parts.
#include "protocol/attachments/config_facts.hpp"
#include "protocol/config/configuration.hpp"
#include "protocol/order/drawing.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/order/progress.hpp"
#include "tests/fuzz/declared.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const std::string_view main = text.substr(0, text.find('\0'));
  const std::string_view state = text.substr(std::min(main.size() + 1, text.size()));
  const auto configured = config::read_configuration({}, [&](const std::string& directory) {
    config::source_directory found;
    if (directory == ".") found.files.push_back({"main.tf", std::string{main}});
    return found;
  });
  const auto facts = attachments::config_facts::read(attachments::to_json(configured));
  fuzz::require(static_cast<bool>(facts));
  const auto known = order::read_state_file(state);
  std::vector<order::planned_object> planned = order::blocks_of(*facts);
  if (known) {
    for (const auto& [at, object] : *known) {
      order::planned_object removed;
      removed.address = at.first;
      removed.removes = at.second.empty();
      if (!at.second.empty()) removed.deposed.push_back(at.second);
      planned.push_back(std::move(removed));
    }
  }
  for (const auto waits : {order::waiting_by::block, order::waiting_by::module_instance}) {
    const order::order made = order::build(planned, {&*facts, known ? &*known : nullptr, waits});
    const order::progress begun{made};
    for (const order::vertex each : made.operations()) {
      for (const order::vertex before : begun.waits_for(each)) fuzz::require(before != each);
    }
    fuzz::require(!order::to_json(made).empty() && !order::to_dot(made).empty());
  }
  return 0;
}
