// What a run left behind, by its rows, next to what a state holds.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/recover/held_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tofud::recover {

enum class verdict : std::uint8_t {
  importable,        // exists, and the state lacks it
  replaced,          // the same, but the state has the object before it at that address
  without_import,    // exists, but its type can't be imported
  without_id,        // exists, but its id was never printed
  not_configured,    // exists, and was to go: no block of the configuration is left for it
  import_planned,    // exists, and the configuration has an import block for it already
  left_behind,       // the object before a replacement: nothing says that it has gone
  create_open,       // a create that began, or failed: it may exist
  delete_open,       // a delete that began, or failed: it may be gone
  deleted_in_state,  // gone, and the state still has it
  same_id,           // gone, and what took its place has the same id: which the state has is open
  another_in_state,  // the state has an object there that the run never saw
  which_is_current,  // several stand at one address: the stream does not say which is deposed
};

/// One object and what is to be said of it. Views into its row.
struct finding {
  verdict what = verdict::importable;
  const feed::resource_row* row = nullptr;
  const feed::step* by = nullptr;               // the last that the stream said of it
  std::string_view id_key = {}, id_value = {};  // empty: not printed
  bool in_state = false;                        // that very object
};

/// What an import block is written for.
bool gets_block(verdict what);

struct recovery {
  std::vector<finding> findings;  // in the order of the rows
  std::size_t never_begun = 0;    // planned changes without a step
};

/// `rows` are those of one run, and outlive what is returned. Only managed resources are looked at;
/// ids that were masked count as never printed.
recovery recover(std::span<const feed::resource_row* const> rows, const held_state& state);

}  // namespace tofud::recover
