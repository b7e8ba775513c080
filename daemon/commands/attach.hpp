// The child that makes attachments ready, never typed by a person (see attachments_preparing).
#pragma once

#include "daemon/commands/command.hpp"

namespace tofud::commands {

/// The argument that makes such a child of this program; attachments::to_words follow. It says on
/// stdout what there is: lines `plan`, `schemas`, `config` when that part's file is whole, and
/// `note SENTENCE` for what failed.
inline constexpr const char* attach_argument = "attachments-of-a-run";

command add_attach(CLI::App& line);

}  // namespace tofud::commands
