#include "daemon/operations/notifier.hpp"

#include "daemon/operations/systemd_library.hpp"

#include <chrono>
#include <cstdlib>

namespace tofud::operations {
namespace {

void tell(const std::string& state) {
  if (std::getenv("NOTIFY_SOCKET") == nullptr) return;
  if (const auto* library = systemd()) (void)library->notify(0, state.c_str());
}

}  // namespace

void notifier::ready(std::string_view status) {
  status_ = status;
  tell("READY=1\nSTATUS=" + status_);
}

void notifier::reloading() {
  // The stamp is for Type=notify-reload of later versions: it tells an answer to this signal from
  // one to the signal before.
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
  tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now.count()));
}

void notifier::stopping() {
  status_ = "stopping";
  tell("STOPPING=1\nSTATUS=" + status_);
}

void notifier::status(std::string_view line) {
  if (line == status_) return;
  status_ = line;
  tell("STATUS=" + status_);
}

void notifier::alive() { tell("WATCHDOG=1"); }

}  // namespace tofud::operations
