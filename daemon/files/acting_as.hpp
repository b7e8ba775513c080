// Root, who does something in the directory of another user, as that user.
#pragma once

#include <sys/types.h>
#include <vector>

namespace tofud::files {

/// From now to the end of its scope this process has the rights of the directory's owner, if it has
/// root's and the owner is another user: links in the directory lead nowhere that its owner could
/// not go, and new files are the owner's. Else nothing changes. For programs of one thread.
///
/// Takes a descriptor, because the owner may have no way to the directory by its path: that of a
/// service with DynamicUser= lies below /var/lib/private, which is root's alone (systemd.exec(5)).
/// Open everything inside relative to that descriptor.
class acting_as_owner {
 public:
  explicit acting_as_owner(int directory);
  ~acting_as_owner();
  acting_as_owner(const acting_as_owner&) = delete;
  acting_as_owner& operator=(const acting_as_owner&) = delete;

  /// False, with errno: root could not take that user's place, and nothing is to be done.
  bool is_right() const { return is_right_; }

 private:
  bool changed_ = false;
  bool is_right_ = true;
  gid_t group_ = 0;
  std::vector<gid_t> groups_;
};

}  // namespace tofud::files
