// Which repository a directory belongs to, read from git's own files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::stack {

/// A remote as a name: without scheme, user, password, default port, `.git` and final `/`, the host
/// in lower case. `git@GitHub.com:acme/infra.git` and `https://github.com/acme/infra` are one.
std::string remote_name(std::string_view url);

/// The URL of `origin`, else of the first remote by name, in the text of a git config file. Empty
/// if there is none.
std::string remote_url(std::string_view config);

struct repository {
  std::filesystem::path top;  // of the work tree
  std::string remote;         // its name; empty: it has none
};

/// The repository around `directory`: the nearest parent with a `.git`, which in a linked work tree
/// or a submodule is a file that says where the real one is.
std::optional<repository> repository_of(const std::filesystem::path& directory);

}  // namespace tofud::stack
