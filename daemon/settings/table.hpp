// What a configuration file says in a list of tables, such as [[oidc]].
#pragma once

#include "daemon/settings/origin.hpp"
#include "daemon/settings/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::settings {

struct option;
struct table_shape;  // table_shapes.hpp

/// One of them. Its values are of the types of its fields, and right each for itself; whether they
/// go together is for whoever uses them.
struct table {
  const table_shape* of = nullptr;
  std::vector<std::pair<const option*, value>> values;  // those that are given
  std::vector<table> within;                            // in the order of the file
  file_place at;

  /// By a field's name, such as "issuer". Empty, or false, where nothing is given.
  const std::string& text(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;
  bool yes(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Such as "rules".
  std::vector<const table*> tables(std::string_view name) const;

  /// Wherever it stands.
  bool operator==(const table& other) const {
    return of == other.of && values == other.values && within == other.within;
  }

 private:
  const value* find(std::string_view name) const;
};

}  // namespace tofud::settings
