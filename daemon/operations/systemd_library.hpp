// libsystemd, loaded where a service manager asks for it. A pipe never needs it, so it starts
// without that library and the six that come with it, and runs on machines that have none.
#pragma once

#include <systemd/sd-daemon.h>

struct iovec;

namespace tofud::operations {

/// Functions of libsystemd.so.0, as sd-daemon.h and sd-journal.h declare them. None is null.
struct systemd_library {
  decltype(&::sd_notify) notify;
  decltype(&::sd_watchdog_enabled) watchdog_enabled;
  decltype(&::sd_listen_fds_with_names) listen_fds_with_names;
  decltype(&::sd_is_socket) is_socket;
  int (*journal_sendv)(const iovec* parts, int count);
};

/// Null: this machine does not have it. Looked for once, never unloaded; for any thread.
const systemd_library* systemd();

/// What stands for it in an error.
inline constexpr const char* no_systemd = "libsystemd.so.0 can't be loaded";

}  // namespace tofud::operations
