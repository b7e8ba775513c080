#include "protocol/order/durations.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tofud::order {
namespace {

constexpr std::size_t spreads = duration_model::spreads;
/// Deviations of logarithms that an operation may have from run to run.
constexpr std::array<double, spreads> spread{0.05, 0.12, 0.2, 0.3, 0.45, 0.65, 0.9, 1.3};
constexpr std::size_t means = 96;
using by_spread = std::array<double, spreads>;
using by_mean = std::array<double, means>;

/// Of one value nobody can tell its spread: about 0.5, whatever the others have.
constexpr by_spread of_one_value{0, 0, 0, 0, 1, 0.3, 0, 0};

/// How likely a sum of squares is with each spread, up to a factor that is the same for all.
by_spread likelihood(const known_duration& of) {
  if (of.count < 2) return of_one_value;
  by_spread made;
  const double freedom = std::max(0.0, of.count - 1);
  double greatest = -1e300;
  for (std::size_t i = 0; i < spreads; ++i) {
    const double variance = spread[i] * spread[i];
    made[i] = -freedom * std::log(spread[i]) - of.log_squares / (2 * variance);
    greatest = std::max(greatest, made[i]);
  }
  for (double& each : made) each = std::exp(each - greatest);
  return made;
}

template <class List>
void normalise(List& all) {
  double sum = 0;
  for (const double each : all) sum += each;
  for (double& each : all) each /= sum;
}

/// Which means and spreads there are among the operations of a run: what makes all that is known of
/// them most likely, beside a prejudice that counts as much as some of them.
class population {
 public:
  explicit population(std::span<const known_duration> all) {
    std::vector<const known_duration*> known;
    for (const known_duration& each : all) {
      if (each.count > 0) known.push_back(&each);
    }
    if (known.empty()) return;
    const auto [least, greatest] = std::minmax_element(
        known.begin(), known.end(),
        [](const auto* one, const auto* other) { return one->log_mean < other->log_mean; });
    first_ = (*least)->log_mean - 0.1;
    step_ = ((*greatest)->log_mean + 0.1 - first_) / (means - 1);
    learn(known);
  }

  /// Of a mean that was seen, with an error of that deviation, what is believed of the true one.
  struct belief {
    double mean, variance, likely;
  };
  belief of(double seen, double deviation) const {
    double weight = 0, sum = 0, squares = 0;
    deviation = std::max(deviation, step_ / 2);
    for (std::size_t i = 0; i < means; ++i) {
      const double away = place(i) - seen;
      const double here = means_[i] * std::exp(-away * away / (2 * deviation * deviation));
      weight += here;
      sum += here * away;
      squares += here * away * away;
    }
    if (weight <= 1e-200) return {seen, deviation * deviation, 0};
    const double away = sum / weight;
    return {seen + away, std::max(squares / weight - away * away, 0.0), weight / deviation};
  }

  const by_spread& spreads_believed() const { return spreads_; }
  /// Of an operation that nothing is known of.
  belief of_any() const {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < means; ++i) {
      sum += means_[i] * place(i);
      squares += means_[i] * place(i) * place(i);
    }
    return {sum, std::max(0.25, squares - sum * sum), 1};
  }

 private:
  static constexpr by_spread prejudice{0.3, 0.5, 0.8, 1.0, 0.8, 0.4, 0.15, 0.05};
  /// Some hundred operations tell all there is to learn.
  static constexpr std::size_t learnt_from = 400;
  static constexpr int rounds = 15;

  double place(std::size_t i) const { return first_ + static_cast<double>(i) * step_; }

  void learn(const std::vector<const known_duration*>& known) {
    struct seen {
      std::array<by_mean, spreads> likely;
      bool tells_spread;
    };
    std::vector<seen> all;
    const std::size_t every = known.size() / learnt_from + 1;
    all.reserve(known.size() / every + 1);
    for (std::size_t at = 0; at < known.size(); at += every) {
      const known_duration& from = *known[at];
      const by_spread squares = likelihood(from);
      seen& made = all.emplace_back();
      made.tells_spread = from.count >= 2;
      for (std::size_t j = 0; j < spreads; ++j) {
        const double deviation = std::max(spread[j] / std::sqrt(from.count), step_ / 2);
        for (std::size_t i = 0; i < means; ++i) {
          const double away = (place(i) - from.log_mean) / deviation;
          made.likely[j][i] = squares[j] * std::exp(-away * away / 2) / deviation;
        }
      }
    }
    for (int round = 0; round < rounds; ++round) {
      by_spread of_spreads = prejudice;
      by_mean of_means;
      of_means.fill(0.01);
      for (const seen& each : all) {
        double whole = 0;
        by_spread here{};
        by_mean there{};
        for (std::size_t j = 0; j < spreads; ++j) {
          for (std::size_t i = 0; i < means; ++i) {
            const double both = spreads_[j] * means_[i] * each.likely[j][i];
            here[j] += both;
            there[i] += both;
          }
          whole += here[j];
        }
        if (whole <= 0) continue;
        for (std::size_t j = 0; each.tells_spread && j < spreads; ++j)
          of_spreads[j] += here[j] / whole;
        for (std::size_t i = 0; i < means; ++i) of_means[i] += there[i] / whole;
      }
      normalise(of_spreads);
      normalise(of_means);
      spreads_ = of_spreads;
      means_ = of_means;
    }
  }

  static by_spread first_guess() {
    by_spread made = prejudice;
    normalise(made);
    return made;
  }
  static by_mean all_alike() {
    by_mean made;
    made.fill(1.0 / means);
    return made;
  }

  double first_ = std::log(5.0) - 2, step_ = 4.0 / (means - 1);
  by_spread spreads_ = first_guess();
  by_mean means_ = all_alike();
};

/// The same beliefs for many: rounded to a place among four hundred.
class remembered_beliefs {
 public:
  explicit remembered_beliefs(const population& from, double least, double greatest)
      : from_{from}, least_{least}, step_{std::max((greatest - least) / (places - 1), 1e-9)} {}

  population::belief of(double seen, std::size_t which_spread, double count) {
    auto& table = tables_[{which_spread, count}];
    if (table.empty()) {
      for (std::size_t i = 0; i < places; ++i)
        table.push_back(from_.of(least_ + static_cast<double>(i) * step_,
                                 spread[which_spread] / std::sqrt(count)));
    }
    const double at = std::clamp(std::round((seen - least_) / step_), 0.0, places - 1.0);
    population::belief made = table[static_cast<std::size_t>(at)];
    made.mean += seen - (least_ + at * step_);
    return made;
  }

 private:
  static constexpr std::size_t places = 200;
  const population& from_;
  double least_, step_;
  std::map<std::pair<std::size_t, double>, std::vector<population::belief>> tables_;
};

const boost::math::normal standard{};

double above(double z) { return boost::math::cdf(boost::math::complement(standard, z)); }

}  // namespace

known_duration with_opinion(known_duration known, double seconds, double weight) {
  const double log = std::log(std::max(seconds, 1e-3));
  const double count = known.count + weight;
  const double away = log - known.log_mean;
  known.log_squares += away * away * known.count * weight / count;
  known.log_mean += away * weight / count;
  known.count = count;
  return known;
}

duration_model::duration_model(std::span<const known_duration> all) {
  const population people{all};
  double least = 1e300, greatest = -1e300;
  for (const known_duration& each : all) {
    if (each.count <= 0) continue;
    least = std::min(least, each.log_mean);
    greatest = std::max(greatest, each.log_mean);
  }
  remembered_beliefs beliefs{people, least, greatest};
  operations_.reserve(all.size());
  for (const known_duration& each : all) {
    operation made;
    by_spread here = people.spreads_believed();
    const by_spread likely = likelihood(each);
    for (std::size_t i = 0; i < spreads; ++i) {
      const auto mean = each.count > 0 ? beliefs.of(each.log_mean, i, each.count) : people.of_any();
      made.mean[i] = static_cast<float>(mean.mean);
      made.deviation[i] = static_cast<float>(std::sqrt(spread[i] * spread[i] + mean.variance));
      if (each.count > 0) here[i] *= likely[i] * mean.likely;
    }
    double sum = 0;
    for (const double one : here) sum += one;
    if (sum <= 0) here = people.spreads_believed();
    normalise(here);
    double grown = 0;
    for (std::size_t i = 0; i < spreads; ++i) {
      grown += here[i];
      made.believed[i] = static_cast<float>(grown);
    }
    made.believed.back() = 1;
    operations_.push_back(made);
  }
}

double duration_model::median(std::size_t which) const { return quantile(which, 0.5); }

double duration_model::quantile(std::size_t which, double part) const {
  const operation& of = operations_[which];
  double mean = 0, variance = 0, before = 0;
  for (std::size_t i = 0; i < spreads; ++i) {
    const double weight = of.believed[i] - before;
    mean += weight * of.mean[i];
    variance += weight * of.deviation[i] * of.deviation[i];
    before = of.believed[i];
  }
  const double z = part == 0.5 ? 0 : boost::math::quantile(standard, part);
  return std::exp(mean + std::sqrt(variance) * z);
}

double duration_model::draw(std::size_t which, float chance, double z) const {
  const operation& of = operations_[which];
  std::size_t i = 0;
  while (of.believed[i] < chance && i + 1 < spreads) ++i;
  return std::exp(of.mean[i] + of.deviation[i] * z);
}

double duration_model::draw_rest(std::size_t which, double elapsed, double chance,
                                 double part) const {
  const operation& of = operations_[which];
  if (elapsed <= 0)
    return draw(which, static_cast<float>(chance), boost::math::quantile(standard, part));
  // That it has taken so long makes great spreads more likely.
  by_spread grown{}, from{};
  const double log = std::log(elapsed);
  double sum = 0, before = 0;
  for (std::size_t i = 0; i < spreads; ++i) {
    from[i] = (log - of.mean[i]) / of.deviation[i];
    sum += (of.believed[i] - before) * std::max(above(from[i]), 1e-30);
    before = of.believed[i];
    grown[i] = sum;
  }
  std::size_t i = 0;
  while (grown[i] < chance * sum && i + 1 < spreads) ++i;
  const double tail = std::max(above(from[i]), 1e-30);
  const double z =
      from[i] > 11 ? from[i] - std::log(1 - part) / from[i]  // so far out it is exponential
                   : boost::math::quantile(boost::math::complement(standard, tail * (1 - part)));
  return std::max(0.0, std::exp(of.mean[i] + of.deviation[i] * z) - elapsed);
}

}  // namespace tofud::order
