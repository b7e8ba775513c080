#include "daemon/files/tree_reader.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/directory_handle.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace tofud::files {
namespace {

constexpr int opens_directory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

}  // namespace

tree_reader::tree_reader(const std::string& directory)
    : root_{::open(directory.c_str(), opens_directory)} {}

descriptor tree_reader::directory_of(const std::string& path) const {
  descriptor at{::openat(root_.get(), ".", opens_directory)};
  for (std::string_view rest{path}; at && !rest.empty();) {
    const std::string name{rest.substr(0, rest.find('/'))};
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    at = descriptor{::openat(at.get(), name.c_str(), opens_directory)};
  }
  return at;
}

descriptor tree_reader::open(const std::string& path) const {
  const auto slash = path.rfind('/');
  const descriptor parent = directory_of(slash == std::string::npos ? "" : path.substr(0, slash));
  if (!parent) return {};
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  descriptor file{open_checked_at(parent.get(), name.c_str(), O_RDONLY)};
  struct stat facts {};
  if (file && ::fstat(file.get(), &facts) == 0 && facts.st_nlink > 1) {
    file = {};
    errno = EMLINK;
  }
  return file;
}

std::optional<std::vector<std::string>> tree_reader::names(const std::string& path) const {
  descriptor at = directory_of(path);
  if (!at) return std::nullopt;
  const directory_handle listed{::fdopendir(at.get())};
  if (!listed) return std::nullopt;
  at.release();
  std::vector<std::string> names;
  while (const dirent* each = ::readdir(listed.get())) {
    std::string name = static_cast<const char*>(each->d_name);
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tofud::files
