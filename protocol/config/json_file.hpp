// Files in JSON syntax: `.tf.json`, `.tofu.json`.
// Facts: OpenTofu's page "JSON Configuration Syntax", the JSON part of the HCL specification.
#pragma once

#include "protocol/config/block.hpp"

#include <string>
#include <string_view>

namespace tofud::config {

/// What a file declares. `path` as in `place::file`.
file_blocks read_json_file(const std::string& path, std::string_view text);

}  // namespace tofud::config
