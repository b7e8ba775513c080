#include "protocol/diagnostics/subject.hpp"

#include "protocol/diagnostics/json_place.hpp"
#include "protocol/schema/provider_address.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>
#include <cstddef>

namespace tofud::diagnostics {
namespace {

const schema::object_schema* schema_in(std::string_view address,
                                       const schema::schemas::provider& provider,
                                       std::string_view kind, std::string_view type) {
  if (kind == "provider") {
    const bool named = schema::provider_name(address) == type;
    return named && provider.configuration ? &*provider.configuration : nullptr;
  }
  const schema::schemas::by_type& types = kind == "data"        ? provider.data_sources
                                          : kind == "ephemeral" ? provider.ephemeral_resources
                                                                : provider.resources;
  const auto found = types.find(type);
  return found == types.end() ? nullptr : &found->second;
}

bool has_schema(std::string_view kind) {
  return kind == "resource" || kind == "data" || kind == "ephemeral" || kind == "provider";
}

struct named_block {
  std::string_view kind, type;
  std::vector<std::string_view> names;  // behind its own
};

// `resource "acme_db" "main"`, which is all that OpenTofu says of a file in native syntax.
named_block native_block(std::string_view context) {
  named_block found;
  found.kind = context.substr(0, context.find(' '));
  const std::size_t begin = context.find('"');
  if (begin == std::string_view::npos) return found;
  found.type = context.substr(begin + 1);
  found.type = found.type.substr(0, found.type.find('"'));
  return found;
}

// `resource.acme_db.main.port`, or a data source within a check.
named_block json_block(std::string_view path) {
  std::vector<std::string_view> names = names_of(path);
  if (names.size() > 2 && names[0] == "check" && names[2] == "data") {
    names.erase(names.begin(), names.begin() + 2);
  }
  named_block found;
  if (names.size() < 2) return found;
  found.kind = names[0];
  found.type = names[1];
  const std::size_t own = found.kind == "provider" ? 2 : 3;
  if (names.size() < own) found.kind = {};
  names.erase(names.begin(),
              names.begin() + static_cast<std::ptrdiff_t>(std::min(own, names.size())));
  found.names = std::move(names);
  return found;
}

named_block block_of(const feed::diagnostic_row& row) {
  if (!row.snippet) return {};
  if (row.snippet->path) return json_block(*row.snippet->path);
  if (!row.snippet->context) return {};
  const bool json = row.range && is_json_file(row.range->filename);
  return json ? json_block(*row.snippet->context) : native_block(*row.snippet->context);
}

// Terraform's actions name themselves first: "action.a.b, called from terraform_data.c".
bool is_resource(std::string_view address) { return address.find(", ") == std::string_view::npos; }

}  // namespace

const schema::block* find_block_schema(const schema::schemas& known, std::string_view kind,
                                       std::string_view type) {
  const schema::object_schema* found = nullptr;
  std::string_view found_at;
  for (const auto& [address, provider] : known.providers) {
    const schema::object_schema* one = schema_in(address, provider, kind, type);
    if (one == nullptr) continue;
    // A specification lies over its provider already, and stands beside it for what that lacks.
    const bool is_twice = found != nullptr && schema::is_same_provider(found_at, address) &&
                          schema::is_specified(found_at) != schema::is_specified(address);
    if (is_twice && schema::is_specified(address)) continue;
    if (found != nullptr && !is_twice && !(*found == *one)) return nullptr;
    found = one;
    found_at = address;
  }
  return found == nullptr ? nullptr : &found->block;
}

subject subject_of(const feed::diagnostic_row& row, const schema::schemas& known) {
  named_block block = block_of(row);
  subject found;
  if (has_schema(block.kind)) {
    found.has_snippet = true;
    found.type = block.type;
    found.is_provider = block.kind == "provider";
    found.names = std::move(block.names);
    found.block = find_block_schema(known, block.kind, block.type);
    return found;
  }
  if (!is_resource(row.address)) return found;
  const auto parts = ui::parse_address(row.address);
  if (!parts) return found;
  found.type = parts->type;
  // A check's own data source is all that can have an address in it.
  found.has_snippet = block.kind == "check";
  found.around = 1;
  found.block =
      find_block_schema(known, parts->mode == "managed" ? "resource" : parts->mode, parts->type);
  return found;
}

}  // namespace tofud::diagnostics
