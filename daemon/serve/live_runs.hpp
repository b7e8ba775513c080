// Runs that go on, counted in all and by who sends them.
#pragma once

#include "daemon/http/message/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace tofud::serve {

/// Remembers a place for each run that goes on. One more is asked for; one that is there already,
/// or that comes back, has its place whatever the bounds say.
class live_runs {
 public:
  struct bounds {
    std::size_t all = limits::live_runs;
    std::size_t of_a_sender = limits::live_runs_per_address;
  };
  enum class room : std::uint8_t { some, none, none_for_sender, too_fast };
  using clock = std::chrono::steady_clock;
  /// Given back when it is destroyed, which may be after the `live_runs`.
  class place;

  explicit live_runs(bounds within);

  /// Holds for who asks from now on.
  void set(bounds within);
  const bounds& within() const { return bounds_; }

  /// `sender` as sender_of() names it; empty: it is not counted by sender. Refusals are counted.
  room ask(const std::string& sender, clock::time_point now = clock::now());
  std::shared_ptr<const place> take(std::string sender);

  std::size_t count() const;
  /// How often `ask` said so.
  std::uint64_t refused() const { return refused_; }
  std::uint64_t refused_to_sender() const { return refused_to_sender_; }
  std::uint64_t refused_as_too_fast() const { return refused_as_too_fast_; }

 private:
  struct counts;

  bounds bounds_;
  std::shared_ptr<counts> counts_;
  /// New runs of a sender: when all that it may begin at once are there again. Those whose time has
  /// passed are forgotten.
  std::unordered_map<std::string, clock::time_point> full_at_;
  static constexpr std::size_t least_swept = 64;
  std::size_t swept_at_ = least_swept;  // senders in `full_at_` at which old ones go
  std::uint64_t refused_ = 0, refused_to_sender_ = 0, refused_as_too_fast_ = 0;
};

using live_place = std::shared_ptr<const live_runs::place>;

}  // namespace tofud::serve
