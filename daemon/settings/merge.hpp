// One set of settings out of flags, environment and files.
#pragma once

#include "daemon/settings/options.hpp"
#include "daemon/settings/origin.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tofud::settings {

/// An option as the command line gives it.
struct given_flag {
  const option* of = nullptr;
  std::vector<std::string> texts;  // several of a list only
  std::string flag;                // as it was written, such as "--no-listen"
};

struct source_file {
  std::string path, text;
};

/// Value of an environment variable; one that is empty counts as not set.
using environment = std::function<std::optional<std::string>(const char* name)>;

/// All there is to say about an option, weakest last.
struct sources {
  std::vector<given_flag> flags;
  environment variables;           // empty: none
  std::vector<source_file> files;  // a later one wins
};

/// Settings, and where each of them comes from.
struct effective {
  settings values;
  std::vector<origin> origins;  // one for each of options()

  effective();
  void set(const option& of, const value& to, origin from);
  const origin& origin_of(const option& of) const;
};

struct merged {
  effective now;
  std::vector<failure> failures;  // empty: `now` may be used
  std::vector<failure> warnings;  // what may not have been meant
};

/// Flags win over the environment, that over files, those over the defaults. Lists are replaced,
/// never joined, but for lists of tables: those of all files are taken. What is wrong is told, also
/// where something stronger hides it; what does not go together once everything else is right.
merged merge(const sources& from);

/// The values of a list in an environment variable: parted by commas, without the spaces around.
std::vector<std::string> split_list(const std::string& text);

}  // namespace tofud::settings
