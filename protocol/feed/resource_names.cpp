#include "protocol/feed/resource_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>

namespace tofud::feed {
namespace {

constexpr std::array<std::string_view, 3> modes = {"managed", "data", "ephemeral"};

std::string_view part(std::string_view addr, std::size_t begin, std::size_t bytes) {
  return addr.substr(std::min(begin, addr.size()), bytes);
}

template <typename Number>
bool fits(std::size_t bytes) {
  return bytes <= std::numeric_limits<Number>::max();
}

std::size_t begin_of_type(const resource_names& names) {
  std::size_t begin = names.module_bytes;
  if (begin > 0) ++begin;  // a dot
  if (names.mode_number > 0) begin += names.mode().size() + 1;
  return begin;
}

std::size_t begin_of_name(const resource_names& names) {
  return begin_of_type(names) + names.type_bytes + 1;
}

address_parts parts_of(const resource_names& names, std::string_view addr) {
  return {names.module(addr), names.mode(),      names.type(addr),
          names.name(addr),   names.index(addr), names.provider(addr)};
}

}  // namespace

std::optional<resource_names> resource_names::within(std::string_view addr,
                                                     const address_parts& of) {
  const auto* mode = std::find(modes.begin(), modes.end(), of.mode);
  if (mode == modes.end() || !fits<std::uint16_t>(of.module.size()) ||
      !fits<std::uint16_t>(of.type.size()) || !fits<std::uint16_t>(of.name.size()) ||
      !fits<std::uint8_t>(of.provider.size()) || of.provider.size() > of.type.size())
    return std::nullopt;
  resource_names made;
  made.module_bytes = static_cast<std::uint16_t>(of.module.size());
  made.type_bytes = static_cast<std::uint16_t>(of.type.size());
  made.name_bytes = static_cast<std::uint16_t>(of.name.size());
  made.provider_bytes = static_cast<std::uint8_t>(of.provider.size());
  made.mode_number = static_cast<std::uint8_t>(std::distance(modes.begin(), mode));
  if (parts_of(made, addr) != of) return std::nullopt;
  return made;
}

resource_names resource_names::of(std::string_view addr, const address_parts& of) {
  if (auto made = within(addr, of)) return std::move(*made);
  resource_names made;
  made.mode_number = apart_from_it;
  made.apart = of;
  return made;
}

std::string_view resource_names::module(std::string_view addr) const {
  return is_apart() ? apart->module : part(addr, 0, module_bytes);
}

std::string_view resource_names::mode() const {
  return is_apart() ? apart->mode : modes.at(mode_number);
}

std::string_view resource_names::type(std::string_view addr) const {
  return is_apart() ? apart->type : part(addr, begin_of_type(*this), type_bytes);
}

std::string_view resource_names::name(std::string_view addr) const {
  return is_apart() ? apart->name : part(addr, begin_of_name(*this), name_bytes);
}

std::string_view resource_names::index(std::string_view addr) const {
  if (is_apart()) return apart->index;
  const std::string_view key = part(addr, begin_of_name(*this) + name_bytes, addr.npos);
  return key.size() > 2 ? key.substr(1, key.size() - 2) : "null";
}

std::string_view resource_names::provider(std::string_view addr) const {
  return is_apart() ? apart->provider : type(addr).substr(0, provider_bytes);
}

}  // namespace tofud::feed
