// What `tofud recover` says, each sentence with how sure it is.
#pragma once

#include "protocol/recover/recovery.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::recover {

enum class certainty : std::uint8_t {
  fact,       // the stream, the state or a file says it
  candidate,  // likely, and to be checked before anybody relies on it
  unknown,    // nothing says it
};

struct statement {
  certainty how = certainty::fact;
  std::string text;
  bool operator==(const statement&) const = default;
};

/// "fact: null_resource.a exists …"
std::string to_string(const statement& said);

/// All there is to say of one object; the address stands in the first.
std::vector<statement> statements_of(const finding& about);

/// All there is to say of the state, then of the objects, then of what never began. Objects that
/// only need their import block are counted: the rest stands in the blocks. `name` is what people
/// call the state, such as a file's name.
std::vector<statement> summary_of(const recovery& found, const held_state& state,
                                  std::string_view name);

/// What is said of OpenTofu and its commands, said of Terraform.
std::string said_of_terraform(std::string text);

/// As a word of a shell, in single quotes.
std::string shell_quoted(std::string_view text);

}  // namespace tofud::recover
