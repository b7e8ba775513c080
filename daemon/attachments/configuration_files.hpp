// A configuration as it lies on disk.
#pragma once

#include "protocol/config/configuration.hpp"

#include <filesystem>

namespace tofud::attachments {

/// Reads the configuration whose root module lies in `root`, with the modules that `tofu init` has
/// put under `data_directory` (`$TF_DATA_DIR`; `.terraform` if it is empty). Reads no other files
/// than OpenTofu would, and no more than limits:: has of them; what is left out is a problem of the
/// configuration. Blocks as long as the disk does.
config::configuration read_from_disk(const std::filesystem::path& root,
                                     const std::filesystem::path& data_directory = {});

}  // namespace tofud::attachments
