// What a new version of a provider's schemas breaks for who used the old one.
#pragma once

#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::schema {

/// What is no longer as a configuration, a state or another resource relied on.
enum class breakage : std::uint8_t {
  gone,           // a provider, a type, an attribute, a block
  older_version,  // of the schema: a state written before can't be read
  needed,         // must be given now
  read_only,      // can't be given any more
  not_computed,   // null now, if it is not given
  other_syntax,   // a block is an attribute, or the other way
  other_nesting,  // a list is a set
  other_type,
  more_blocks,   // at least
  fewer_blocks,  // at most
  sensitive,     // outputs that hold it are refused until they are sensitive
  write_only,    // nothing can refer to it
  other_default,
  replaces,   // a change of it replaces the object
  validated,  // there is a validator that was not there
  deprecated  // warns, breaks nothing
};

/// The word for programs, such as "other_type".
std::string_view name(breakage what);

/// One step of the way to an attribute or block, from a body.
struct schema_step {
  std::string name;
  bool has_instances = false;  // a list, set or map of what follows
  bool by_key = false;         // they are a map's

  friend bool operator==(const schema_step&, const schema_step&) = default;
};

struct breaking_change {
  std::string provider;  // as in the old document
  section in = section::provider;
  std::string type;               // empty: the provider itself
  std::vector<schema_step> path;  // empty: all of the type
  breakage what = breakage::gone;
  bool is_block = false;  // what the path leads to, in the old schema (of a new one: there)
  std::string was, is;    // as people read them; empty: there is nothing to tell
  /// Of other_default: the old one as JSON. Of the two of blocks: how many are needed or allowed.
  std::string old_default;
  std::uint64_t count = 0;
};

/// "network.port"; empty for all of a type.
std::string path_text(const breaking_change& of);

/// The end of a sentence that begins with what the path leads to.
std::string sentence(const breaking_change& of);

/// One line of `schema diff --json`, with its newline: `kind` ("breaking" or "deprecated"),
/// `provider`, `section`, `type`, `path`, `change`, `was`, `is`; what says nothing is left out.
/// `touches`: addresses; null: nobody asked.
void append_row(std::string& out, const breaking_change& of,
                const std::vector<std::string>* touches);

/// What both documents can say: a specification has no versions and numbers of blocks, only
/// specifications have defaults, validators and replacement.
struct both_say {
  bool numbers = true, hints = false;
};

/// In the order of the old document. Providers are the same by address, from whichever registry, or
/// by the last part of it where a specification knows only that.
std::vector<breaking_change> breaking_changes(const schemas& before, const schemas& after,
                                              both_say comparable);

}  // namespace tofud::schema
