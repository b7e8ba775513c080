#include "tests/protocol/order/simulated_apply.hpp"

#include <cmath>
#include <deque>
#include <queue>
#include <random>
#include <string>

namespace tofud::test {
namespace {

using order::progress_of;
using order::vertex;

std::size_t between(std::mt19937_64& chance, std::size_t least, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>{least, most}(chance);
}

/// Each behind one to three of the layers before it, mostly of the last.
void make_layers(simulated_apply& made, std::mt19937_64& chance, std::size_t operations) {
  const std::size_t layers = between(chance, 3, 12);
  std::vector<std::vector<vertex>> all(layers);
  for (std::size_t i = 0; i < operations; ++i) {
    const std::size_t layer = i < layers ? i : between(chance, 0, layers - 1);
    all[layer].push_back(made.of.add({"t.a" + std::to_string(i)}));
  }
  for (std::size_t layer = 1; layer < layers; ++layer) {
    for (const vertex each : all[layer]) {
      for (std::size_t left = between(chance, 1, 3); left > 0; --left) {
        const auto& from =
            all[between(chance, 0, 3) > 0 ? layer - 1 : between(chance, 0, layer - 1)];
        made.of.connect(from[between(chance, 0, from.size() - 1)], each,
                        order::origin::configuration);
      }
    }
  }
}

/// As the program does it: what is ready first begins first.
void play(simulated_apply& made) {
  struct event {
    double at;
    vertex which;
    bool operator<(const event& other) const { return at > other.at; }
  };
  const std::size_t count = made.of.size();  // no hubs: a vertex is its operation's number
  std::vector<std::size_t> left(count);
  made.ready.assign(count, -1);
  made.begun.assign(count, -1);
  made.ended.assign(count, -1);
  std::deque<vertex> waiting;
  std::priority_queue<event> running;
  for (vertex each = 0; each < count; ++each) {
    left[each] = made.of.before(each).size();
    if (left[each] > 0) continue;
    made.ready[each] = 0;
    waiting.push_back(each);
  }
  double now = 0;
  for (;;) {
    while (!waiting.empty() && running.size() < made.slots) {
      const vertex next = waiting.front();
      waiting.pop_front();
      made.begun[next] = now;
      running.push({now + made.seconds[next], next});
    }
    if (running.empty()) break;
    const event first = running.top();
    running.pop();
    now = first.at;
    made.ended[first.which] = now;
    if (made.fails[first.which]) continue;
    for (const vertex after : made.of.after(first.which)) {
      if (--left[after] > 0) continue;
      made.ready[after] = now;
      waiting.push_back(after);
    }
  }
  made.end = now;
}

}  // namespace

simulated_apply simulate(std::uint32_t seed, spreads how, std::size_t most, double failures) {
  std::mt19937_64 chance{seed};
  simulated_apply made;
  const double size =
      std::uniform_real_distribution<>{std::log(50.0), std::log(static_cast<double>(most))}(chance);
  make_layers(made, chance, static_cast<std::size_t>(std::exp(size)));
  if (between(chance, 0, 1) == 1) made.slots = between(chance, 1, 50);
  std::uniform_real_distribution<> medians{std::log(0.5), std::log(1200.0)};
  std::normal_distribution<> normal;
  for (std::size_t i = 0; i < made.of.size(); ++i) {
    const double median = medians(chance);
    const bool wild = how == spreads::mixed && between(chance, 0, 4) == 0;
    const double sigma = wild ? 0.8 : 0.3;
    order::known_duration known;
    for (int run = 0; run < 3; ++run)
      known = order::with_opinion(known, std::exp(median + sigma * normal(chance)), 1);
    made.known.push_back(known);
    made.seconds.push_back(std::exp(median + sigma * normal(chance)));
    made.fails.push_back(std::bernoulli_distribution{failures}(chance));
  }
  play(made);
  return made;
}

std::vector<order::operation_now> simulated_apply::at(double moment) const {
  std::vector<order::operation_now> all(of.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    order::operation_now& each = all[i];
    if (ended[i] >= 0 && ended[i] <= moment) {
      each.state = fails[i] ? progress_of::failed : progress_of::done;
    } else if (begun[i] >= 0 && begun[i] <= moment) {
      each.state = progress_of::running;
      each.elapsed = moment - begun[i];
    } else if (ready[i] >= 0 && ready[i] <= moment) {
      each.ready_for = moment - ready[i];
    }
  }
  return all;
}

std::size_t simulated_apply::done_at(double moment) const {
  std::size_t count = 0;
  for (const double each : ended) count += each >= 0 && each <= moment ? 1 : 0;
  return count;
}

}  // namespace tofud::test
