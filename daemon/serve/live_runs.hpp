// Runs that go on, counted in all, by where they come from and by whose they are.
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
    /// Of one token, user or job of an identity provider, wherever it is used: a quarter is for
    /// others.
    std::size_t of_a_name() const { return all - all / 4; }
  };
  enum class room : std::uint8_t { some, none, none_for_sender, none_for_name, too_fast };
  using clock = std::chrono::steady_clock;
  /// Given back when it is destroyed, which may be after the `live_runs`.
  class place;

  explicit live_runs(bounds within);

  /// Holds for who asks from now on.
  void set(bounds within);
  const bounds& within() const { return bounds_; }

  /// `sender` as sender_of() names it; empty: it is not counted by sender. `name`:
  /// access::lasting_name; new runs are counted by it where there is one, since whoever has a token
  /// has any number of addresses. Refusals are counted.
  room ask(const std::string& sender, const std::string& name = {},
           clock::time_point now = clock::now());
  std::shared_ptr<const place> take(std::string sender, std::string name = {});

  std::size_t count() const;
  /// How often `ask` said so.
  std::uint64_t refused() const { return refused_; }
  std::uint64_t refused_to_sender() const { return refused_to_sender_; }
  std::uint64_t refused_as_too_fast() const { return refused_as_too_fast_; }

 private:
  struct counts;

  bounds bounds_;
  std::shared_ptr<counts> counts_;
  /// New runs of a name or sender: when all that it may begin at once are there again. Those whose
  /// time has passed are forgotten.
  std::unordered_map<std::string, clock::time_point> full_at_;
  static constexpr std::size_t least_swept = 64;
  std::size_t swept_at_ = least_swept;  // names and senders in `full_at_` at which old ones go
  std::uint64_t refused_ = 0, refused_to_sender_ = 0, refused_as_too_fast_ = 0;
};

using live_place = std::shared_ptr<const live_runs::place>;

}  // namespace tofud::serve
