// A recovery as configuration in JSON syntax: import blocks, and comments under "//", which
// OpenTofu passes over at the root and in blocks.
#pragma once

#include "protocol/recover/recovery.hpp"
#include "protocol/recover/statement.hpp"

#include <string>
#include <vector>

namespace tofud::recover {

/// Where the statements come from. Empty members are left out.
struct provenance {
  std::string run, stream_sha256;
  std::string state;  // its name, or what it is instead of one
  std::string lineage, serial;
};

/// A document for a file named *.tf.json in the root module; without blocks it is all comment.
std::string recovery_text(const recovery& found, const provenance& from,
                          const std::vector<statement>& said);

}  // namespace tofud::recover
