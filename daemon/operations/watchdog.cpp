#include "daemon/operations/watchdog.hpp"

#include "daemon/operations/systemd_library.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace tofud::operations {

struct watchdog::state : std::enable_shared_from_this<watchdog::state> {
  state(boost::asio::io_context& io, notifier& to, question ask)
      : clock{io}, told{to}, ask_other{std::move(ask)} {}

  void ask() {
    owed = true;
    ask_other([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->owed = false;
    });
  }

  void beat() {
    clock.expires_after(interval);
    clock.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
      const auto self = weak.lock();
      if (failed || !self) return;
      if (!self->owed) {
        self->told.alive();
        self->ask();
      }
      self->beat();
    });
  }

  boost::asio::steady_timer clock;
  notifier& told;
  question ask_other;
  std::chrono::microseconds interval{0};
  bool owed = false;
};

std::optional<std::chrono::microseconds> watchdog_interval() {
  if (std::getenv("WATCHDOG_USEC") == nullptr) return std::nullopt;
  const auto* library = systemd();
  std::uint64_t microseconds = 0;
  if (library == nullptr || library->watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds{microseconds / 2};
}

watchdog::watchdog(boost::asio::io_context& io, notifier& told, question ask_other)
    : state_{std::make_shared<state>(io, told, std::move(ask_other))} {}

watchdog::~watchdog() = default;

void watchdog::begin(std::optional<std::chrono::microseconds> interval) {
  if (!interval) return;
  state_->interval = *interval;
  state_->ask();
  state_->beat();
}

void watchdog::stop() { state_->clock.cancel(); }

}  // namespace tofud::operations
