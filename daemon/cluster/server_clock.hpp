// How far this machine's clock is from JetStream's. What daemons must agree on goes by JetStream's;
// a clock that is far from it is said.
#pragma once

#include "daemon/cluster/bucket.hpp"
#include "daemon/net/task.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tofud::cluster {

class server_clock {
 public:
  /// `in` outlives it; its values end by themselves. `key`: whose clock it is. `said`: a sentence
  /// when the clock becomes wrong, and one when it is right again.
  server_clock(bucket& in, std::string key, std::function<void(const std::string& sentence)> said)
      : in_{in}, key_{std::move(key)}, said_{std::move(said)} {}

  /// Asks JetStream, unless it was asked lately and this machine's clock was not set since.
  net::task<bool> look();

  /// Greater than nothing: this machine's clock is ahead. Nothing: nobody knows yet.
  std::optional<std::chrono::microseconds> ahead() const { return ahead_; }
  /// By JetStream's clock, as far as is known.
  ui::time_point now() const;

 private:
  void compare(std::chrono::microseconds ahead);

  bucket& in_;
  std::string key_;
  std::function<void(const std::string& sentence)> said_;
  std::optional<std::chrono::microseconds> ahead_;
  struct moment {
    std::chrono::steady_clock::time_point steady = std::chrono::steady_clock::now();
    std::chrono::nanoseconds apart{};  // the machine's clock from the steady one
  };
  static moment this_moment();
  std::optional<moment> looked_at_;
  bool is_wrong_ = false;
};

}  // namespace tofud::cluster
