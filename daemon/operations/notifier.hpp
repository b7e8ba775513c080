// What the service manager is told about us; sd_notify(3).
#pragma once

#include <string>
#include <string_view>

namespace tofud::operations {

/// Where NOTIFY_SOCKET is not set nobody listens, and nothing happens. Failing is no trouble: who
/// does not hear that we are ready says so itself. Remembers the last status.
class notifier {
 public:
  void ready(std::string_view status);
  /// The configuration is read again; `ready` follows, whatever came of it.
  void reloading();
  void stopping();
  /// One line for `systemctl status`; sent when it is another one than before.
  void status(std::string_view line);
  /// A sign of life.
  void alive();

 private:
  std::string status_;
};

}  // namespace tofud::operations
