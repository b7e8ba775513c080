#include "daemon/files/acting_as.hpp"

#include <cerrno>
#include <cstdlib>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::files {

acting_as_owner::acting_as_owner(int directory) {
  struct stat facts {};
  if (::geteuid() != 0 || ::fstat(directory, &facts) != 0 || facts.st_uid == 0) return;
  group_ = ::getegid();
  const int count = ::getgroups(0, nullptr);
  groups_.resize(static_cast<std::size_t>(count > 0 ? count : 0));
  if (::getgroups(count, groups_.data()) != count) groups_.clear();
  is_right_ =
      ::setgroups(0, nullptr) == 0 && ::setegid(facts.st_gid) == 0 && ::seteuid(facts.st_uid) == 0;
  changed_ = true;
}

acting_as_owner::~acting_as_owner() {
  if (!changed_) return;
  const int error = errno;
  // Going on with half of the rights of two users would be worse than ending.
  if (::seteuid(0) != 0 || ::setegid(group_) != 0 ||
      ::setgroups(groups_.size(), groups_.data()) != 0) {
    std::abort();
  }
  errno = error;
}

}  // namespace tofud::files
