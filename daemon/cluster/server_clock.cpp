#include "daemon/cluster/server_clock.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/limits.hpp"
#include "daemon/operations/utc_now.hpp"

#include <cstdint>
#include <utility>

namespace tofud::cluster {
namespace {

/// In the largest unit of which there are two or more.
std::string in_words(std::chrono::seconds time) {
  if (const auto days = std::chrono::round<std::chrono::days>(time); days.count() >= 2)
    return std::to_string(days.count()) + " days";
  if (const auto hours = std::chrono::round<std::chrono::hours>(time); hours.count() >= 2)
    return std::to_string(hours.count()) + " hours";
  if (const auto minutes = std::chrono::round<std::chrono::minutes>(time); minutes.count() >= 2)
    return std::to_string(minutes.count()) + " minutes";
  return std::to_string(time.count()) + " seconds";
}

}  // namespace

server_clock::moment server_clock::this_moment() {
  moment now;
  now.apart = operations::utc_now().time_since_epoch() - now.steady.time_since_epoch();
  return now;
}

net::task<bool> server_clock::look() {
  const moment begun = this_moment();
  const bool is_known = looked_at_ &&
                        begun.steady - looked_at_->steady < limits::server_clock_looked_every &&
                        std::chrono::abs(begun.apart - looked_at_->apart) < limits::clock_set_from;
  if (is_known) co_return false;
  auto writing = in_.put(key_, "");
  const auto written = co_await std::move(writing);
  const auto answered_at = std::chrono::steady_clock::now();
  if (!written) co_return false;
  auto reading = in_.get(key_);
  const auto there = co_await std::move(reading);
  if (!there || !*there || (*there)->revision != *written) co_return false;
  looked_at_ = begun;
  // JetStream stamped it while we waited: somewhere in the middle.
  const auto middle = begun.steady + (answered_at - begun.steady) / 2;
  const ui::time_point here{
      std::chrono::floor<std::chrono::microseconds>(middle.time_since_epoch() + begun.apart)};
  compare(here - (*there)->at);
  co_return true;
}

void server_clock::compare(std::chrono::microseconds ahead) {
  ahead_ = ahead;
  const auto off = std::chrono::round<std::chrono::seconds>(std::chrono::abs(ahead));
  const bool was_wrong = std::exchange(is_wrong_, off > limits::clock_wrong_beyond);
  if (was_wrong == is_wrong_) return;
  if (is_wrong_)
    said_(
        text::failure{error::wrong_clock, in_words(off), ahead.count() > 0 ? "ahead of" : "behind"}
            .text());
  else
    said_(std::string{sentence(error::right_clock)});
}

ui::time_point server_clock::now() const {
  return operations::utc_now() - ahead_.value_or(std::chrono::microseconds{0});
}

}  // namespace tofud::cluster
