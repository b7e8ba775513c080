#include "daemon/stack/shim.hpp"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::stack {
namespace {

namespace fs = std::filesystem;

std::string failure_of(const std::string& what, const std::error_code& failed) {
  return what + ": " + failed.message();
}

/// Atomically, since another tofud may be using the old one.
std::error_code link_to(const fs::path& link, const std::string& target) {
  std::error_code failed;
  if (fs::read_symlink(link, failed) == target && !failed) return {};
  const fs::path made = link.string() + "." + std::to_string(::getpid());
  fs::create_symlink(target, made, failed);
  if (failed) return failed;
  fs::rename(made, link, failed);
  if (failed) {
    std::error_code ignored;
    fs::remove(made, ignored);
  }
  return failed;
}

}  // namespace

shim make_shim(const std::string& directory, const std::string& ourselves) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) return {"", failure_of(directory, failed)};
  struct stat made {};
  if (::lstat(directory.c_str(), &made) != 0 || !S_ISDIR(made.st_mode) ||
      made.st_uid != ::geteuid() || (made.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return {"", directory + " is writable by other users"};
  }
  for (const char* name : {"tofu", "terraform"}) {
    failed = link_to(fs::path{directory} / name, ourselves);
    if (failed) return {"", failure_of(directory + "/" + name, failed)};
  }
  return {directory, ""};
}

}  // namespace tofud::stack
