// Which of several processes sends a spool: `ID.sending` beside it.
#pragma once

#include <string>

namespace tofud::forward {

/// Two senders do no harm, only work twice; so a lock that can't be made is as good as taken. It
/// goes with the process, however that ends. The file stays for whoever knows when it is over.
class sending_lock {
 public:
  explicit sending_lock(const std::string& path);
  ~sending_lock();
  sending_lock(const sending_lock&) = delete;
  sending_lock& operator=(const sending_lock&) = delete;

  /// False: another process has it.
  bool taken() const { return taken_; }

 private:
  int fd_ = -1;
  bool taken_ = true;
};

}  // namespace tofud::forward
