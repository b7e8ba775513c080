// An open directory with one owner.
#pragma once

#include <dirent.h>
#include <memory>

namespace tofud::files {

struct closes_directory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using directory_handle = std::unique_ptr<DIR, closes_directory>;

}  // namespace tofud::files
