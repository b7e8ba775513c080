// `tofud schema diff OLD NEW`: what a new version of a provider breaks.
#pragma once

#include "daemon/cli/command.hpp"

#include <string>

namespace tofud::cli {

struct schema_diff_arguments {
  std::string before, after;
  std::string plan, state;  // at most one of them; empty: whatever is broken is told
  bool json = false;
};

void add_schema_diff(command& schema);

/// The exit status: 1 if anything breaks (with a plan or a state: anything that touches an object
/// of it), 2 if a document can't be read.
int schema_diff(const schema_diff_arguments& given);

}  // namespace tofud::cli
