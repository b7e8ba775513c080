// Programs by name, as a shell finds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::stack {

/// A file, whatever it is called.
struct file_identity {
  unsigned long long device = 0, inode = 0;
  bool operator==(const file_identity&) const = default;
};
/// Follows links; nothing if there is no such file.
std::optional<file_identity> identity_of(const std::string& path);

/// The first executable file of that name in the directories of `path` ("a:b") that is not
/// `ourselves`: what a link of tofud under that name stands in front of. Empty if there is none.
std::string next_in_path(std::string_view name, std::string_view path,
                         const file_identity& ourselves);

/// `path` without a directory.
std::string path_without(std::string_view path, std::string_view directory);

}  // namespace tofud::stack
