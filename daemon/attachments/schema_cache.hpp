// Schemas of providers that were asked for once, for the next run of the same providers.
#pragma once

#include "daemon/attachments/limits.hpp"
#include "daemon/stack/environment.hpp"
#include "daemon/stack/tofu_version.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::attachments {

/// Files `HASH.json.gz` in `schemas/` of a directory, readable by their owner only. A cache that
/// can't be written keeps nothing, and one that can't be read has nothing.
class schema_cache {
 public:
  /// Empty: keeps nothing and has nothing.
  explicit schema_cache(const std::string& directory,
                        std::uint64_t most = limits::kept_schemas_bytes);

  /// The file of that key, which counts as used now.
  std::optional<std::string> find(const std::string& key) const;
  /// There whole or not at all. What was not used for longest goes until `most` bytes are left.
  void keep(const std::string& key, std::string_view compressed) const;
  /// What is kept of that key is of no use.
  void drop(const std::string& key) const;

 private:
  std::string path_of(const std::string& key) const;
  void make_room() const;

  std::string directory_;  // empty: none
  std::uint64_t most_;
};

/// What makes `providers schema -json` print what it prints: the lock file, which names each
/// provider with its registry, version and sums; the program, whose own providers are in no lock
/// file; and whether one of them is in use.
std::string schemas_key(std::string_view lock_file, const stack::tofu_version& program,
                        bool uses_builtin);

/// Whether somebody is working on providers: their schemas change while their lock file does not.
/// By TF_REATTACH_PROVIDERS, or `dev_overrides` in the program's own configuration, where OpenTofu
/// and Terraform look for it.
bool develops_providers(const stack::environment& env);

}  // namespace tofud::attachments
