#include "daemon/cluster/server_clock.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/limits.hpp"
#include "daemon/operations/utc_now.hpp"
#include "protocol/text/duration.hpp"

#include <utility>

namespace tofud::cluster {

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
    said_(text::failure{error::wrong_clock, text::duration(off),
                        ahead.count() > 0 ? "ahead of" : "behind"}
              .text());
  else
    said_(std::string{sentence(error::right_clock)});
}

ui::time_point server_clock::now() const {
  if (!ahead_) return operations::utc_now();
  // From the steady clock: this machine's may be set at any time.
  const auto here = std::chrono::steady_clock::now().time_since_epoch() + looked_at_->apart;
  return ui::time_point{std::chrono::floor<std::chrono::microseconds>(here)} - *ahead_;
}

}  // namespace tofud::cluster
