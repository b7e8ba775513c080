// Settings as a file for people, and for the next start.
#pragma once

#include "daemon/settings/merge.hpp"

#include <cstdint>
#include <string>

namespace tofud::settings {

enum class with_origins : std::uint8_t { no, yes };

/// Every option, as TOML that gives the same settings when it is read again; with
/// origins each has "# from …" beside it. There are no secrets in it: those are in files of their
/// own.
std::string show(const effective& current, with_origins origins);

/// A file with every option commented out at its default, explained: config/tofud.toml.
std::string show_defaults();

}  // namespace tofud::settings
