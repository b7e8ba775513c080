// `tofud schema diff OLD NEW`: what a new version of a provider breaks.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
}

namespace tofud::commands {

struct schema_diff_arguments {
  std::string before, after;
  std::string plan, state;  // at most one of them; empty: whatever is broken is told
  bool json = false;
};

/// Its arguments below `schema`; they live as long as the command line.
CLI::App* add_schema_diff(CLI::App& schema, schema_diff_arguments& given);

/// The exit status: 1 if anything breaks (with a plan or a state: anything that touches an object
/// of it), 2 if a document can't be read.
int schema_diff(const schema_diff_arguments& given);

}  // namespace tofud::commands
