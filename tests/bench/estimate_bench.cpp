// How well the end of an apply is foretold, beside counting and the rules of others, on the same
// simulated applies (F11 of decision 0042).
#include "protocol/order/schedule.hpp"
#include "tests/protocol/order/simulated_apply.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using tofud::order::duration_model;
using tofud::order::progress_of;
using tofud::order::schedule;
using tofud::test::simulated_apply;

struct score {
  std::vector<double> errors;
  std::size_t covered_p50 = 0, covered_p80 = 0;

  void add(double p50, double p80, double real) {
    errors.push_back(std::abs(p50 - real) / real);
    covered_p50 += real <= p50 ? 1 : 0;
    covered_p80 += real <= p80 ? 1 : 0;
  }
  double median() {
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    return errors[errors.size() / 2];
  }
};

/// As many as are left take as long as those that are done, by the clock.
double by_count(const simulated_apply& apply, double moment) {
  const double done = std::max<double>(1, static_cast<double>(apply.done_at(moment)));
  return moment / done * (static_cast<double>(apply.of.size()) - done);
}

/// ninja's: what is left of all medians, at the pace of those that are done.
double by_ninja(const simulated_apply& apply, const duration_model& model, double moment) {
  double done = 0, left = 0;
  for (std::size_t i = 0; i < apply.of.size(); ++i) {
    const bool is_done = apply.ended[i] >= 0 && apply.ended[i] <= moment;
    (is_done ? done : left) += model.median(i);
  }
  return done > 0 ? moment / done * left : 0;
}

/// nix-output-monitor's: of each one that runs how long it usually takes, less how long it has run;
/// the greatest of them.
double by_nom(const simulated_apply& apply, const duration_model& model, double moment) {
  double longest = 0;
  for (std::size_t i = 0; i < apply.of.size(); ++i) {
    const bool runs = apply.begun[i] >= 0 && apply.begun[i] <= moment && apply.ended[i] > moment;
    if (runs) longest = std::max(longest, model.median(i) - (moment - apply.begun[i]));
  }
  return longest;
}

void run(const char* name, tofud::test::spreads how, std::uint32_t seeds, std::size_t most,
         double failures) {
  for (const double part : {0.25, 0.5, 0.75}) {
    score ours, counted, ninja, nom;
    double slowest = 0;
    std::size_t largest = 0;
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
      const simulated_apply apply = tofud::test::simulate(seed, how, most, failures);
      const double moment = apply.end * part, real = apply.end - moment;
      if (real <= 0) continue;
      const duration_model model{apply.known};
      schedule plays{apply.of};
      const auto now = apply.at(moment);
      const auto begun = std::chrono::steady_clock::now();
      const auto found = plays.remaining(now, model, apply.slots, seed, failures);
      const double took =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun)
              .count();
      slowest = std::max(slowest, took);
      largest = std::max(largest, apply.of.size());
      if (!found) continue;
      ours.add(found->p50, found->p80, real);
      const double count = by_count(apply, moment), by_time = by_ninja(apply, model, moment),
                   running = by_nom(apply, model, moment);
      counted.add(count, count, real);
      ninja.add(by_time, by_time, real);
      nom.add(running, running, real);
    }
    const double all = static_cast<double>(ours.errors.size());
    std::printf(
        "%s at %2.0f %%: error %5.1f %%, p50 covers %4.1f %%, p80 %4.1f %% | by count %5.1f %%, "
        "ninja "
        "%5.1f %%, nom %5.1f %% | %.0f runs, up to %zu operations, slowest %.1f ms\n",
        name, part * 100, ours.median() * 100, 100 * static_cast<double>(ours.covered_p50) / all,
        100 * static_cast<double>(ours.covered_p80) / all, counted.median() * 100,
        ninja.median() * 100, nom.median() * 100, all, largest, slowest);
  }
}

}  // namespace

int main(int count, char** values) {
  const int runs = count > 1 ? std::atoi(values[1]) : 300;
  const std::size_t most = count > 2 ? std::strtoul(values[2], nullptr, 10) : 20'000;
  const double failures = count > 3 ? std::atof(values[3]) : 0.01;
  if (runs < 1 || most < 1) {
    std::fputs("usage: estimate_bench [RUNS [OPERATIONS [FAILURES]]], both counts 1 or more\n",
               stderr);
    return 2;
  }
  const auto seeds = static_cast<std::uint32_t>(runs);
  run("A", tofud::test::spreads::alike, seeds, most, failures);
  run("B", tofud::test::spreads::mixed, seeds, most, failures);
}
