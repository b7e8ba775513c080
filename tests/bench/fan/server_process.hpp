// The server that is measured, a child with its own: started, ended, and its CPU and
// memory from /proc.
#pragma once

#include "tests/bench/fan/base.hpp"

#include <sys/types.h>

inline pid_t g_srv = -1;
inline int g_stdin = -1;

struct Usage {
  double cpu = 0;
  u64 rss_kb = 0, pss_kb = 0;
  int procs = 0, threads = 0;
};
/// Of `root` and all below it; `mem` and `pss` cost more.
Usage tree_usage(pid_t root, bool mem, bool pss = true);

/// CPU seconds of this machine and of this process, pages that TCP holds.
double sys_busy();
double self_cpu();
long tcp_mem_pages();

void start_server(const string& cmd, bool want_stdin, const string& log);
void cleanup_server();
