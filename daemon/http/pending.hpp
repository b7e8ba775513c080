// A value that somebody else gives, at once, later or never.
#pragma once

#include "daemon/http/connection.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace tofud::http {

/// Wakes who waits; shared by the one who waits and the ones who may give.
struct pending_wake {
  /// Declared to throw; it has nothing that could fail.
  void wake() noexcept {
    settled = true;
    if (waiting == nullptr) return;
    try {
      waiting->cancel();
    } catch (...) {  // nothing waits then
    }
  }

  timer* waiting = nullptr;  // in the frame of the coroutine that waits
  bool settled = false;
};

/// Ends when `of` is settled or the connection is cut.
boost::asio::awaitable<void, executor> settled(connection& on, std::shared_ptr<pending_wake> of);

template <class T>
class pending {
 public:
  /// Settles it with the first value given. Dropped uncalled it settles it without one. Harmless
  /// when nobody waits any more.
  std::function<void(T)> giver() {
    return [held = std::make_shared<holder>(shared_)](T value) {
      if (held->to->settled) return;
      held->to->value.emplace(std::move(value));
      held->to->wake();
    };
  }
  std::shared_ptr<pending_wake> wake() const { return shared_; }
  bool is_settled() const { return shared_->settled; }
  std::optional<T> take() { return std::exchange(shared_->value, std::nullopt); }

 private:
  struct state : pending_wake {
    std::optional<T> value;
  };
  struct holder {
    explicit holder(std::shared_ptr<state> waits) : to{std::move(waits)} {}
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;
    ~holder() {
      if (!to->settled) to->wake();
    }
    std::shared_ptr<state> to;
  };
  std::shared_ptr<state> shared_ = std::make_shared<state>();
};

}  // namespace tofud::http
