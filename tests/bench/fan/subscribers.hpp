// N subscribers on epoll, shared among some threads, and what they saw.
#pragma once

#include "tests/bench/fan/base.hpp"
#include "tests/bench/fan/histogram.hpp"

#include <atomic>
#include <memory>
#include <thread>

enum St : uint8_t { S_NEW, S_CONN, S_HS, S_OPEN, S_DEAD };
struct Conn {
  int fd = -1;
  St st = S_NEW;
  uint8_t op = 0;
  bool raw = false;
  u64 rem = 0;
  string left;
  u64 n = 0, frames = 0, bytes = 0, gaps = 0, dups = 0;
  int closecode = 0;
  u64 t_conn = 0, t_open = 0, t_first = 0;
};
inline std::atomic<u64> g_s0{~0ull}, g_s1{~0ull}, g_done{0}, g_open{0}, g_dead{0}, g_seen{0};
inline std::atomic<bool> g_stop{false};
inline constexpr u32 TSRING = 1u << 20;
inline vector<std::atomic<u64>> g_ts(TSRING);
inline string g_req;
inline vector<string> g_first;
inline bool g_sse = false;
inline int g_port = 0;

struct Worker {
  int ep = -1;
  vector<Conn> c;
  vector<u64> last;
  vector<char> buf = vector<char>(1 << 18);
  Hist h, hl;
  u64 meas = 0, total = 0, frames = 0, reads = 0, bytes = 0;
  std::atomic<u64> min{0};
  std::atomic<u64> a_meas{0};
  u64 mincomp = 0;
  std::thread th;
  int next = 0, inflight = 0;
  u64 last_rx = 0;
  bool one = true;
  bool stopped_new = false;
  int fails = 0;
  string failmsg;
};

inline vector<std::unique_ptr<Worker>> W;

/// How the adapter subscribes; `prefix` names settings that come before those of "sub.".
void build_sub(const string& prefix);
void make_workers(int subs);
void wait_open(u64 n, double tmo);

/// The newest message that every live subscriber has.
u64 completed();
