// Where in a JSON document something stands, for people: `resources[0].schema.attributes[2].name`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::json {

/// `above` and the member `key` of it. Keys that are no plain words are quoted in brackets, so that
/// a dot in a key is no step: `provider_schemas["registry.opentofu.org/hashicorp/null"]`.
std::string path_of_member(const std::string& above, std::string_view key);

/// `above` and its element `index`, counted from 0.
std::string path_of_element(const std::string& above, std::size_t index);

}  // namespace tofud::json
