// Where the configuration of `tofud serve` is, and reading it.
#pragma once

#include "daemon/settings/reloading.hpp"
#include "daemon/spool/spool_place.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::cli {

/// The files that are read where none is named, weakest first: `tofud.toml` in `etc`, the files of
/// its `conf.d` that end in `.toml` by name (`conf.d` itself where it can't be listed), and
/// `$XDG_CONFIG_HOME/tofud/tofud.toml`, else that of `~/.config`. Only what is of conf.d is sure to
/// be there.
std::vector<std::string> config_places(const spool::environment& env,
                                       const std::string& etc = "/etc/tofud");

/// Flags, environment and files as they are now. `named` is the value of --config (empty: not
/// given, then TOFUD_CONFIG): that file alone is read and has to be there.
settings::said_settings read_config(const std::string& named,
                                    std::vector<settings::given_flag> flags,
                                    const spool::environment& env);

/// These files alone; each has to be there.
settings::said_settings read_files(const std::vector<std::string>& paths);

/// What was said, or nothing if any of it is wrong: then each mistake is a line on standard error.
std::optional<settings::effective> understand(const settings::said_settings& said);

}  // namespace tofud::cli
