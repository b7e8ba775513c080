// The lists of tables that a configuration file may have: only a file says them, so none has a flag
// or a variable.
#pragma once

#include "daemon/settings/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::settings {

struct table_field {
  /// Its key is the whole one: "oidc.rules.claims". It has no flag and no home.
  option of;
  bool is_required = false;
  std::string_view example;  // TOML, for the file of all options
};

struct table_shape {
  std::string_view key;   // "oidc", or within it "oidc.rules"
  std::string_view help;  // one sentence
  std::vector<table_field> fields;
  std::vector<table_shape> within;
};

/// In the order in which they are shown. All of them take effect with SIGHUP.
const std::vector<table_shape>& table_shapes();

/// "rules" of "oidc.rules".
std::string_view name_of(const table_shape& of);

/// The one in `all` with that name; null: there is none.
const table_shape* find_shape(const std::vector<table_shape>& all, std::string_view name);

/// The last part of a field's key: "claims".
std::string_view field_name(const option& of);

}  // namespace tofud::settings
