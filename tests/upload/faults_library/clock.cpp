// A wall clock that jumps, and time that goes faster than it does: clocks and the timers that wait
// for them alike. Absolute timers and timed waits for conditions are left alone: nobody here uses
// them.
#include "page.hpp"
#include <cstdint>
#include <ctime>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>

namespace {

using faults::next;
using faults::shared;

constexpr std::int64_t second = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * second + time.tv_nsec; }

timespec timespec_of(std::int64_t nanoseconds) {
  return {nanoseconds / second, nanoseconds % second};
}

int real_clock_gettime(clockid_t clock, timespec* now) {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  return real(clock, now);
}

/// At least 1.
std::int64_t haste() {
  const std::int64_t told = shared() == nullptr ? 0 : shared()->haste.load();
  return told > 1 ? told : 1;
}

/// By how much haste has moved the clocks so far.
std::int64_t gained() {
  const std::int64_t times = haste();
  if (times == 1) return 0;
  timespec now{};
  real_clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t since = nanoseconds(now) - shared()->hasty_since.load();
  return since > 0 ? since * (times - 1) : 0;
}

bool is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

bool is_steady(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

timespec sooner(const timespec& time) {
  const std::int64_t left = nanoseconds(time) / haste();
  return timespec_of(left == 0 && nanoseconds(time) > 0 ? 1 : left);
}

int sooner(int milliseconds) {
  const auto times = static_cast<int>(haste());
  return milliseconds <= 0 ? milliseconds : (milliseconds + times - 1) / times;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) {
  const int result = real_clock_gettime(clock, now);
  if (result != 0 || shared() == nullptr) return result;
  if (is_wall(clock)) {
    *now = timespec_of(nanoseconds(*now) + gained() + shared()->clock_ms.load() * 1'000'000);
  } else if (is_steady(clock)) {
    *now = timespec_of(nanoseconds(*now) + gained());
  }
  return result;
}

int gettimeofday(timeval* now, void* /*zone*/) {
  timespec exact{};
  const int result = clock_gettime(CLOCK_REALTIME, &exact);
  *now = timeval{exact.tv_sec, exact.tv_nsec / 1000};
  return result;
}

time_t time(time_t* now) {
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != nullptr) *now = exact.tv_sec;
  return exact.tv_sec;
}

int timerfd_settime(int timer, int flags, const itimerspec* until, itimerspec* before) {
  static const auto real =
      next<int (*)(int, int, const itimerspec*, itimerspec*)>("timerfd_settime");
  if ((flags & TFD_TIMER_ABSTIME) != 0) return real(timer, flags, until, before);
  const itimerspec earlier{sooner(until->it_interval), sooner(until->it_value)};
  return real(timer, flags, &earlier, before);
}

int epoll_wait(int poll, epoll_event* events, int most, int milliseconds) {
  static const auto real = next<int (*)(int, epoll_event*, int, int)>("epoll_wait");
  return real(poll, events, most, sooner(milliseconds));
}

int poll(pollfd* asked, nfds_t count, int milliseconds) {
  static const auto real = next<int (*)(pollfd*, nfds_t, int)>("poll");
  return real(asked, count, sooner(milliseconds));
}

}  // extern "C"
