// Where something stands in a configuration file in JSON syntax: its path, the block around it.
// Facts: OpenTofu's page "JSON Configuration Syntax".
#pragma once

#include "protocol/diagnostics/json_outline.hpp"
#include "protocol/diagnostics/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {

/// Whether a file of that name is a configuration (or a test, or values of variables) in JSON
/// syntax.
bool is_json_file(std::string_view filename);

/// Where `at` stands, from the root of the file: `resource.null_resource.x.provisioner[0].when`.
/// A key that is no name is in brackets, as written: `["a b"]`. Of the root it is empty; at most
/// limits::generated_line_bytes, a longer one ends with "…".
std::string path_of(const json_outline& file, std::uint32_t at);

/// The names of such a path, without indexes and without what is cut.
std::vector<std::string_view> names_of(std::string_view path);

/// What is read as one thing around `at`: the body of a resource, a module call, an output…, one
/// of several in an array; one local value, one setting of `terraform`, one value of a file of
/// values. Nothing if `at` is around several of them.
std::optional<std::uint32_t> enclosing_block(const json_outline& file, std::uint32_t at,
                                             std::string_view filename);

}  // namespace tofud::diagnostics
