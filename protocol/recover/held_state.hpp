// What a state holds, as far as recovering asks: addresses and ids.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/plan/failure.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tofud::recover {

enum class state_form : std::uint8_t {
  absent,      // there is no file
  empty,       // it has no bytes: what a killed apply leaves (recording killed-sigkill-mid-apply)
  state_file,  // version 4, as terraform.tfstate and `tofu state pull`
  shown,       // `tofu show -json`
};

/// One object of a resource instance.
struct held_object {
  std::string id, name;  // its attributes of that name; empty: it has none that is a string
  std::string deposed;   // its key; empty: it is the current one
};

class held_state {
 public:
  state_form form = state_form::absent;
  std::string lineage, serial;  // of a state file; else empty

  /// All objects of the row's address. Empty: the state has nothing there.
  std::span<const held_object> at(const feed::resource_row& row) const;
  /// Whether an object of that type has that id, whatever its address.
  bool has(std::string_view type, std::string_view id) const;
  std::size_t size() const { return objects_; }

  /// `index` is JSON text, as in a row.
  void add(std::string_view module, std::string_view type, std::string_view name,
           std::string_view index, held_object object);

 private:
  std::unordered_map<std::string, std::vector<held_object>> by_address_;
  std::unordered_set<std::string> ids_;
  std::size_t objects_ = 0;
};

/// Reads a state file (version 4), what `tofu show -json` writes of a state, or an empty text. Data
/// sources are passed over. The failure is what is wrong with the document and what to give
/// instead; encrypted states and plans have sentences of their own.
plan::result<held_state> read_held_state(std::string_view text);

}  // namespace tofud::recover
