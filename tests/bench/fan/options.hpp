// The command line of fanbench.
#pragma once

#include "tests/bench/fan/base.hpp"

struct Opt {
  string adapter, ini, mode = "fan", json, label, server, path, first, log = "fanbench-server.log";
  int subs = 1, threads = 1, port = 0, hist = 10000, pad = 0;
  double rate = 0, secs = 5, warmup = 1;
  u64 window = 512;
  int maxbatch = 64;
};
inline Opt O;
