// Which files of a directory make a module, and in which order.
// Facts: OpenTofu's page "Override Files", and how it loads a directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofud::config {

enum class file_syntax : unsigned char { none, native, json };

/// By a file's name; `none` for one that is no part of a module: of another kind, hidden
/// (`.x.tf`), or left by an editor (`x.tf~`, `#x.tf#`).
file_syntax syntax_of(std::string_view name);

/// Whether a file changes what others declare: `override.tf`, `x_override.tofu.json`.
bool is_override(std::string_view name);

/// The names among `names` that make a module, in the order in which they count: overrides behind
/// all others, both in the order of their bytes. `x.tofu` hides `x.tf`, `x.tofu.json` hides
/// `x.tf.json`.
std::vector<std::string> module_files(std::vector<std::string> names);

}  // namespace tofud::config
