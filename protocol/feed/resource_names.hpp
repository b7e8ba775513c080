// The parts of a resource's address.
#pragma once

#include "protocol/text/rare.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tofud::feed {

/// As the stream says them.
struct address_parts {
  std::string_view module;  // empty: the root module
  std::string_view mode = "managed", type, name;
  std::string_view index = "null";  // JSON text
  std::string_view provider;        // the implied one: the type up to its first `_`
  bool operator==(const address_parts&) const = default;
};

/// The parts as places in the address, which nearly all are: there are as many of these as there
/// are resources. Views it gives live as long as the address and what was kept apart.
struct resource_names {
  text::rare<address_parts> apart;  // those of an address that they are not parts of
  std::uint16_t module_bytes = 0, type_bytes = 0, name_bytes = 0;
  std::uint8_t provider_bytes = 0;  // of the type
  std::uint8_t mode_number = 0;     // of managed, data, ephemeral; or they are kept apart

  /// Nothing: some of them are not in the address where they should be.
  static std::optional<resource_names> within(std::string_view addr, const address_parts& of);
  /// All of `of` lives as long as this.
  static resource_names of(std::string_view addr, const address_parts& of);

  address_parts parts(std::string_view addr) const;

  static constexpr std::uint8_t apart_from_it = 3;
  bool is_apart() const { return mode_number == apart_from_it; }
};

}  // namespace tofud::feed
