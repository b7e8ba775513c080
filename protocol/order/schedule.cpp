#include "protocol/order/schedule.hpp"

#include "protocol/order/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tofud::order {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// Numbers of schedules: prime, so that each step through their strata meets all of them.
constexpr std::array<std::size_t, 10> numbers{199, 151, 101, 67, 43, 29, 19, 13, 11, 7};

std::uint64_t mixed(std::uint64_t of) {
  of += 0x9e3779b97f4a7c15U;
  of = (of ^ (of >> 30U)) * 0xbf58476d1ce4e5b9U;
  of = (of ^ (of >> 27U)) * 0x94d049bb133111ebU;
  return of ^ (of >> 31U);
}

double part_of(std::uint64_t bits) {
  return (static_cast<double>(bits >> 11U) + 0.5) / 9007199254740992.0;
}

constexpr auto never_fails = [](std::uint32_t) { return false; };

std::size_t how_many(std::size_t operations) {
  for (const std::size_t each : numbers) {
    if (each * operations <= limits::schedule_draws) return each;
  }
  return numbers.back();
}

}  // namespace

schedule::schedule(const order& of) : of_{of}, operations_(of.size(), never) {
  after_begin_.reserve(of.size() + 1);
  std::vector<std::uint32_t> left(of.size());
  for (vertex each = 0; each < of.size(); ++each) {
    after_begin_.push_back(static_cast<std::uint32_t>(after_.size()));
    const auto after = of.after(each);
    after_.insert(after_.end(), after.begin(), after.end());
    left[each] = static_cast<std::uint32_t>(of.before(each).size());
    if (left[each] == 0) sorted_.push_back(each);
  }
  after_begin_.push_back(static_cast<std::uint32_t>(after_.size()));
  for (std::size_t at = 0; at < sorted_.size(); ++at) {
    for (const vertex after : of.after(sorted_[at])) {
      if (--left[after] == 0) sorted_.push_back(after);
    }
  }
  std::uint32_t number = 0;
  for (const vertex each : of.operations()) operations_[each] = number++;
}

/// What is behind a failure stays closed, since that never ends.
schedule::start schedule::begin(std::span<const operation_now> now) {
  start made;
  made.left.resize(of_.size());
  for (vertex each = 0; each < of_.size(); ++each)
    made.left[each] = static_cast<std::uint32_t>(of_.before(each).size());
  left_ = made.left;
  ready_.clear();
  // What has ended, and hubs that wait for nothing else.
  std::vector<std::uint32_t> open;
  std::vector<bool> reached(of_.size());
  for (const vertex each : sorted_) {
    const std::uint32_t number = operations_[each];
    const bool ended = number == never ? left_[each] == 0 : now[number].state == progress_of::done;
    if (!ended) continue;
    for (std::uint32_t i = after_begin_[each]; i < after_begin_[each + 1]; ++i) --left_[after_[i]];
  }
  made.left = left_;
  for (const vertex each : sorted_) {
    const std::uint32_t number = operations_[each];
    if (number == never) continue;
    if (now[number].state == progress_of::running) made.running.push_back(number);
    if (now[number].state == progress_of::owed && left_[each] == 0) made.ready.push_back(number);
  }
  std::sort(made.ready.begin(), made.ready.end(), [&](std::uint32_t one, std::uint32_t other) {
    const double a = now[one].ready_for, b = now[other].ready_for;
    return a != b ? a > b : one < other;
  });
  // How much there is to be done: all but what is behind a failure, or in a circle.
  std::vector<bool> stranded(of_.size());
  for (const vertex each : sorted_) {
    const std::uint32_t number = operations_[each];
    const bool fails = number != never && now[number].state == progress_of::failed;
    if (!fails && !stranded[each]) {
      made.count += number != never && now[number].state != progress_of::done ? 1 : 0;
      continue;
    }
    for (std::uint32_t i = after_begin_[each]; i < after_begin_[each + 1]; ++i)
      stranded[after_[i]] = true;
  }
  return made;
}

/// Of what ended the hubs behind it, and the operations behind those.
void schedule::close(vertex which, std::vector<std::uint32_t>& ready) {
  closing_.push_back(which);
  const std::size_t first = ready.size();
  while (!closing_.empty()) {
    const vertex from = closing_.back();
    closing_.pop_back();
    for (std::uint32_t i = after_begin_[from]; i < after_begin_[from + 1]; ++i) {
      const vertex to = after_[i];
      if (--left_[to] > 0) continue;
      if (operations_[to] == never)
        closing_.push_back(to);
      else
        ready.push_back(operations_[to]);
    }
  }
  if (ready.size() - first > 1)
    std::sort(ready.begin() + static_cast<std::ptrdiff_t>(first), ready.end());
}

template <class Length, class Fails>
double schedule::play(const start& from, std::span<const operation_now> now, std::size_t slots,
                      const Length& length, const Fails& fails) {
  left_ = from.left;
  ready_ = from.ready;
  running_.clear();
  for (const std::uint32_t each : from.running) running_.push_back({length(each, true), each});
  std::make_heap(running_.begin(), running_.end());
  slots = std::max<std::size_t>(slots, 1);
  std::size_t next = 0;
  double at = 0;
  const auto fill = [&] {
    while (next < ready_.size() && running_.size() < slots) {
      const std::uint32_t each = ready_[next++];
      if (!now.empty() && now[each].state != progress_of::owed) continue;
      running_.push_back({at + length(each, false), each});
      std::push_heap(running_.begin(), running_.end());
    }
  };
  fill();
  while (!running_.empty()) {
    const event ended = running_.front();
    std::pop_heap(running_.begin(), running_.end());
    running_.pop_back();
    at = ended.at;
    if (!fails(ended.operation)) close(of_.operations()[ended.operation], ready_);
    fill();
  }
  return at;
}

std::optional<remaining_time> schedule::remaining(std::span<const operation_now> now,
                                                  const duration_model& model, std::size_t slots,
                                                  std::uint64_t seed, double failing) {
  const start from = begin(now);
  if (from.running.empty() && from.ready.empty()) return std::nullopt;
  remaining_time made;
  made.overrun = !from.running.empty() &&
                 std::all_of(from.running.begin(), from.running.end(), [&](std::uint32_t each) {
                   return now[each].elapsed > model.quantile(each, 0.8);
                 });
  made.schedules = how_many(std::max<std::size_t>(from.count, 1));
  const std::size_t strata = std::max<std::size_t>(made.schedules, 2);
  std::vector<double> z(strata);
  const boost::math::normal standard;
  for (std::size_t i = 0; i < strata; ++i)
    z[i] = boost::math::quantile(standard,
                                 (static_cast<double>(i) + 0.5) / static_cast<double>(strata));
  std::vector<double> ends;
  ends.reserve(strata);
  for (std::size_t each = 0; each < strata; ++each) {
    const auto fails = [&](std::uint32_t operation) {
      return failing > 0 &&
             part_of(mixed(seed + (std::uint64_t{operation} << 20U) + each)) < failing;
    };
    const auto length = [&](std::uint32_t operation, bool runs) {
      const std::uint64_t own = mixed(seed ^ (std::uint64_t{operation} << 20U));
      const std::uint64_t step = 1 + own % (strata - 1), first = (own >> 24U) % strata;
      const std::size_t stratum = (first + step * each) % strata;
      const std::uint64_t chance = mixed(own + each);
      if (!runs) return model.draw(operation, static_cast<float>(part_of(chance)), z[stratum]);
      return model.draw_rest(operation, now[operation].elapsed, part_of(chance),
                             (static_cast<double>(stratum) + 0.5) / static_cast<double>(strata));
    };
    ends.push_back(play(from, now, slots, length, fails));
  }
  made.p50 = text::percentile(ends, 0.5);
  made.p80 = text::percentile(ends, 0.8);
  return made;
}

double schedule::median_end(std::span<const operation_now> now, const duration_model& model,
                            std::size_t slots) {
  return play(
      begin(now), now, slots,
      [&](std::uint32_t operation, bool runs) {
        return runs ? model.draw_rest(operation, now[operation].elapsed, 0.5, 0.5)
                    : model.median(operation);
      },
      never_fails);
}

double schedule::end_of(std::span<const double> seconds, std::size_t slots) {
  const std::vector<operation_now> now(of_.operations().size());
  return play(
      begin(now), now, slots, [&](std::uint32_t operation, bool) { return seconds[operation]; },
      never_fails);
}

critical_path schedule::critical(std::span<const operation_now> now, const duration_model& model) {
  std::vector<double> own(of_.size()), until(of_.size()), from(of_.size());
  std::vector<bool> stranded(of_.size());
  critical_path made;
  vertex last = no_vertex;
  for (const vertex each : sorted_) {
    const std::uint32_t number = operations_[each];
    if (number != never && now[number].state == progress_of::failed) stranded[each] = true;
    if (stranded[each]) {
      for (const vertex after : of_.after(each)) stranded[after] = true;
      continue;
    }
    if (number != never && now[number].state == progress_of::owed) own[each] = model.median(number);
    if (number != never && now[number].state == progress_of::running)
      own[each] = model.draw_rest(number, now[number].elapsed, 0.5, 0.5);
    for (const vertex before : of_.before(each)) until[each] = std::max(until[each], until[before]);
    until[each] += own[each];
    if (own[each] > 0 && (last == no_vertex || until[each] > until[last])) last = each;
  }
  made.slack.assign(of_.size(), 0);
  if (last == no_vertex) return made;
  made.seconds = until[last];
  for (auto each = sorted_.rbegin(); each != sorted_.rend(); ++each) {
    if (stranded[*each]) continue;
    for (const vertex after : of_.after(*each)) {
      if (!stranded[after]) from[*each] = std::max(from[*each], from[after]);
    }
    made.slack[*each] = made.seconds - until[*each] - from[*each];
    from[*each] += own[*each];
  }
  // Back along what it is made of.
  for (vertex at = last; at != no_vertex;) {
    if (own[at] > 0) made.operations.push_back(at);
    vertex next = no_vertex;
    for (const vertex before : of_.before(at)) {
      if (until[before] > 0 && (next == no_vertex || until[before] > until[next])) next = before;
    }
    at = next;
  }
  std::reverse(made.operations.begin(), made.operations.end());
  return made;
}

}  // namespace tofud::order
