// What every part of fanbench stands on: its types, its clock, its end.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

using std::string;
using std::vector;
typedef uint64_t u64;
typedef uint32_t u32;

inline u64 now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}
inline void sleep_until(u64 ns) {
  timespec t{(time_t)(ns / 1000000000ull), (long)(ns % 1000000000ull)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR)
    ;
}

/// Prints a sentence, ends the server and this process with status 2.
[[noreturn]] __attribute__((format(printf, 1, 2))) void die(const char* f, ...);
