#include "tests/protocol/order/plain_names.hpp"

#include "protocol/order/limits.hpp"
#include "protocol/ui/resource_address.hpp"

#include <bit>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tofud::test {

feed::named_operations named(const order::order& of, const std::vector<order::vertex>& some) {
  std::map<std::string, std::vector<order::vertex>> by_block;
  for (const order::vertex each : some)
    by_block[ui::without_keys(of.at(each)->address).value_or("")].push_back(each);
  if (by_block.size() > limits::blocks_told) return {{}, std::bit_floor(some.size())};
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < of.operations().size(); ++i) {
    const std::string& address = of.at(of.operations()[i])->address;
    first.try_emplace(address, i);
    first.try_emplace(ui::without_keys(address).value_or("") + "[*]", i);
  }
  std::set<std::tuple<std::size_t, bool, std::string>> names;
  for (const auto& [block, those] : by_block) {
    const std::string whole = block + "[*]";
    if (those.size() > limits::blockers_named) {
      names.emplace(first.at(whole), true, whole);
      continue;
    }
    for (const order::vertex each : those)
      names.emplace(first.at(of.at(each)->address), false, of.at(each)->address);
  }
  feed::named_operations made;
  for (const auto& [place, is_block, name] : names) {
    if (made.names.size() < limits::causes_named)
      made.names.push_back(name);
    else
      ++made.more;
  }
  return made;
}

}  // namespace tofud::test
