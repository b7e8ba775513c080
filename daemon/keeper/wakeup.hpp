// An eventfd by which one thread or process tells another to look at the shared page.
#pragma once

#include "daemon/files/descriptor.hpp"

namespace tofud::keeper {

/// Carries no news itself, only "look again". Never blocks, neither side.
class wakeup {
 public:
  wakeup();
  /// A second handle of one that is inherited.
  explicit wakeup(int fd);
  void notify() const noexcept;
  void clear() const noexcept;
  /// Readable while there is something to look at; -1 if the kernel gave none.
  int fd() const { return fd_.get(); }

 private:
  files::descriptor fd_;
};

}  // namespace tofud::keeper
