// How long operations take, as far as earlier ones tell: log-normal, with means and spreads that
// are learnt from all of them (decision 0042).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tofud::order {

/// What is known of how long one operation takes: of the natural logarithms of seconds their mean
/// and their sum of squared distances from it.
struct known_duration {
  double count = 0;  // of values; 0: nothing is known
  double log_mean = 0, log_squares = 0;
};

/// One more opinion, which counts as much as `weight` values.
known_duration with_opinion(known_duration known, double seconds, double weight);

/// Three values tell little of one operation; those of a hundred tell which means and spreads there
/// are, so that what seems to take longest is not taken at its word.
class duration_model {
 public:
  static constexpr std::size_t spreads = 8;

  /// Of all operations of a run. What nothing is known of takes what the others do. Some twenty
  /// milliseconds for 20,000 of them.
  explicit duration_model(std::span<const known_duration> all);

  std::size_t size() const { return operations_.size(); }
  /// Half of the time it takes no longer than that, in seconds.
  double median(std::size_t operation) const;
  /// At most about so long in `part` of all cases (0 to 1, not 0 and 1).
  double quantile(std::size_t operation, double part) const;
  /// `chance` chooses a spread (0 to 1), `z` is a normal deviate.
  double draw(std::size_t operation, float chance, double z) const;
  /// How long it goes on that has taken `elapsed` seconds; `chance` and `part` are between 0 and 1.
  double draw_rest(std::size_t operation, double elapsed, double chance, double part) const;

 private:
  /// For each spread that it may have: how much that and those before it are believed, and the
  /// logarithms of what it takes then.
  struct operation {
    std::array<float, spreads> believed{}, mean{}, deviation{};
  };
  std::vector<operation> operations_;
};

}  // namespace tofud::order
