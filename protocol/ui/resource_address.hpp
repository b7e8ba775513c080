// Addresses of resource instances, such as `module.net.aws_subnet.a["x"]`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::ui {

/// The parts of an absolute instance address. Views into it.
struct address_parts {
  std::string_view module;    // "module.a[\"k\"].module.b", empty in the root module
  std::string_view resource;  // "data.external.probe[0]": relative to the module
  std::string_view mode;      // "managed", "data" or "ephemeral"
  std::string_view type, name;
};

/// Takes an address apart, with keys in HCL quoting that may hold dots and brackets
/// (OpenTofu, internal/addrs/instance_key.go). Nothing if the text is no resource address.
std::optional<address_parts> parse_address(std::string_view address);

/// "managed", "data" or "ephemeral", by the prefix of the module-relative address. Messages have
/// no `mode` of their own.
std::string_view mode_of(std::string_view resource);

/// The address without its instance keys: `module.net.aws_subnet.a` of
/// `module.net[0].aws_subnet.a["x"]`, which is how a configuration names what an instance was made
/// of. Also of modules. Nothing if the text is no address.
std::optional<std::string> without_keys(std::string_view address);

}  // namespace tofud::ui
