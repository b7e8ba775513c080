#include "daemon/keeper/original_signals.hpp"

namespace tofud::keeper {

original_signals::original_signals() noexcept {
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
  ::sigemptyset(&defaults_);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    ::sigaddset(&defaults_, number);
  }
}

void original_signals::apply(posix_spawnattr_t& attributes) const noexcept {
  ::posix_spawnattr_setsigmask(&attributes, &mask_);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults_);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

void original_signals::restore() const noexcept {
  for (int number = 1; number < NSIG; ++number) {
    if (::sigismember(&defaults_, number) == 1) std::signal(number, SIG_DFL);
  }
  ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace tofud::keeper
