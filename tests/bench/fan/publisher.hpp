// The one that publishes, on a thread of its own.
#pragma once

#include "tests/bench/fan/base.hpp"
#include "tests/bench/fan/histogram.hpp"

#include <thread>

/// Formats messages as the adapter has it and writes them to the server.
struct Pub {
  string kind, fmt;
  int fd = -1;
  u64 seq = 0;
  string out;
  std::thread drain;
  size_t tix = 0;
  void drainer();
  void open();
  void add();  // format one message into out
  void flush();
};
inline Pub P;
inline Hist g_publag;
inline u64 g_waits_timeout = 0;

/// Waits until every live subscriber has reached `target`; polls at 50 us, false on time-out.
bool wait_done(u64 target, double tmo);

/// For `secs` at `rate` (0 = closed loop: at most `window` messages ahead of the slowest live
/// subscriber).
void publish(double secs, double rate, u64 limit = 0);

/// Sends probes until every open subscriber has seen one message.
void prime(double tmo);
