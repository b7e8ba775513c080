// Times as counts in 32 sub-buckets per octave (<=3.1% error).
#pragma once

#include "tests/bench/fan/base.hpp"

#include <algorithm>
#include <cmath>

struct Hist {
  vector<u64> b = vector<u64>(64 * 32, 0);
  u64 n = 0, mx = 0;
  static u32 idx(u64 v) {
    if (v < 32) return (u32)v;
    int e = 63 - __builtin_clzll(v);
    return (u32)((e - 4) * 32 + ((v >> (e - 5)) & 31));
  }
  static u64 val(u32 i) {
    if (i < 32) return i;
    u32 e = i / 32 + 4;
    return ((32ull + (i & 31)) << (e - 5)) + (1ull << (e - 5)) / 2;
  }
  void add(u64 v) {
    b[idx(v)]++;
    n++;
    if (v > mx) mx = v;
  }
  void merge(const Hist& o) {
    for (size_t i = 0; i < b.size(); i++) b[i] += o.b[i];
    n += o.n;
    if (o.mx > mx) mx = o.mx;
  }
  double q(double p) const {
    if (!n) return 0;
    u64 k = (u64)std::ceil(p * (double)n), c = 0;
    if (!k) k = 1;
    for (u32 i = 0; i < b.size(); i++) {
      c += b[i];
      if (c >= k) return (double)std::min(val(i), mx);
    }
    return (double)mx;
  }
};
