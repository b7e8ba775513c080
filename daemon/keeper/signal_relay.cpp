#include "daemon/keeper/signal_relay.hpp"

#include "daemon/keeper/limits.hpp"

#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

namespace tofud::keeper {

signal_relay::signal_relay() noexcept {
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&ours, number);
  ::pthread_sigmask(SIG_BLOCK, &ours, nullptr);
  fd_ = files::descriptor{::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK)};
}

void signal_relay::take(clock::time_point now) noexcept {
  signalfd_siginfo came{};
  while (::read(fd_.get(), &came, sizeof came) == static_cast<ssize_t>(sizeof came)) {
    if (came.ssi_code == SI_KERNEL) continue;  // the terminal's
    if (waiting_) continue;
    waiting_ = waiting{static_cast<int>(came.ssi_signo), now + limits::forward_after};
  }
}

std::optional<int> signal_relay::due(clock::time_point now) noexcept {
  if (!waiting_ || now < waiting_->due) return std::nullopt;
  const int number = waiting_->number;
  waiting_.reset();
  return number;
}

std::optional<signal_relay::clock::time_point> signal_relay::next() const noexcept {
  if (!waiting_) return std::nullopt;
  return waiting_->due;
}

}  // namespace tofud::keeper
