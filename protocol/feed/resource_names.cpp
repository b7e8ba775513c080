#include "protocol/feed/resource_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

namespace tofud::feed {
namespace {

constexpr std::array<std::string_view, resource_names::apart_from_it> modes = {"managed", "data",
                                                                               "ephemeral"};

template <typename Number>
bool fits(std::size_t bytes) {
  return bytes <= std::numeric_limits<Number>::max();
}

}  // namespace

std::optional<resource_names> resource_names::within(std::string_view addr,
                                                     const address_parts& of) {
  const auto* mode = std::find(modes.begin(), modes.end(), of.mode);
  if (mode == modes.end() || !fits<std::uint16_t>(of.module.size()) ||
      !fits<std::uint16_t>(of.type.size()) || !fits<std::uint16_t>(of.name.size()) ||
      !fits<std::uint8_t>(of.provider.size()))
    return std::nullopt;
  resource_names made;
  made.module_bytes = static_cast<std::uint16_t>(of.module.size());
  made.type_bytes = static_cast<std::uint16_t>(of.type.size());
  made.name_bytes = static_cast<std::uint16_t>(of.name.size());
  made.provider_bytes = static_cast<std::uint8_t>(of.provider.size());
  made.mode_number = static_cast<std::uint8_t>(std::distance(modes.begin(), mode));
  if (made.parts(addr) != of) return std::nullopt;
  return made;
}

resource_names resource_names::of(std::string_view addr, const address_parts& of) {
  if (auto made = within(addr, of)) return std::move(*made);
  resource_names made;
  made.mode_number = apart_from_it;
  made.apart = of;
  return made;
}

address_parts resource_names::parts(std::string_view addr) const {
  if (is_apart()) return *apart;
  // Each part with the character behind it: a dot, or the bracket of a key.
  std::string_view rest = addr;
  const auto take = [&rest](std::size_t bytes) {
    const std::string_view part = rest.substr(0, bytes);
    rest.remove_prefix(std::min(bytes + 1, rest.size()));
    return part;
  };
  address_parts made;
  if (module_bytes > 0) made.module = take(module_bytes);
  made.mode = modes.at(mode_number);
  if (mode_number > 0) take(made.mode.size());
  made.type = take(type_bytes);
  made.provider = made.type.substr(0, provider_bytes);
  made.name = take(name_bytes);
  if (rest.size() > 1) made.index = rest.substr(0, rest.size() - 1);
  return made;
}

}  // namespace tofud::feed
