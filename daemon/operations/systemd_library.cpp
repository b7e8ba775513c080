#include "daemon/operations/systemd_library.hpp"

#include <dlfcn.h>
#include <optional>

namespace tofud::operations {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& into) {
  into = reinterpret_cast<Function>(::dlsym(library, name));
  return into != nullptr;
}

std::optional<systemd_library> load() {
  void* library = ::dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  systemd_library found{};
  const bool is_whole = find(library, "sd_notify", found.notify) &&
                        find(library, "sd_watchdog_enabled", found.watchdog_enabled) &&
                        find(library, "sd_listen_fds_with_names", found.listen_fds_with_names) &&
                        find(library, "sd_is_socket", found.is_socket) &&
                        find(library, "sd_journal_sendv", found.journal_sendv);
  return is_whole ? std::optional{found} : std::nullopt;
}

}  // namespace

const systemd_library* systemd() {
  static const std::optional<systemd_library> found = load();
  return found ? &*found : nullptr;
}

}  // namespace tofud::operations
