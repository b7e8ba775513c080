#include "daemon/client/message.hpp"

#include "protocol/text/ascii.hpp"

#include <algorithm>

namespace tofud::client {

std::string_view response::first(std::string_view name) const {
  const auto same = [name](const header& each) {
    return text::equal_without_case(each.name, name);
  };
  const auto found = std::find_if(headers.begin(), headers.end(), same);
  return found == headers.end() ? std::string_view{} : std::string_view{found->value};
}

}  // namespace tofud::client
