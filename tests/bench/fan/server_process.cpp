#include "tests/bench/fan/server_process.hpp"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void die(const char* f, ...) {
  va_list a;
  va_start(a, f);
  fprintf(stderr, "fanbench: ");
  vfprintf(stderr, f, a);
  fputc('\n', stderr);
  va_end(a);
  cleanup_server();
  _exit(2);
}

Usage tree_usage(pid_t root, bool mem, bool pss) {
  Usage u;
  if (root <= 0) return u;
  std::map<pid_t, vector<pid_t>> kids;
  std::map<pid_t, double> cpu;
  std::map<pid_t, int> thr;
  long hz = sysconf(_SC_CLK_TCK);
  DIR* d = opendir("/proc");
  if (!d) return u;
  while (dirent* e = readdir(d)) {
    pid_t p = atoi(e->d_name);
    if (p <= 0) continue;
    char b[64];
    snprintf(b, sizeof b, "/proc/%d/stat", p);
    FILE* f = fopen(b, "r");
    if (!f) continue;
    char line[1024];
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    char* q = strrchr(line, ')');
    if (!q) continue;
    int pp;
    long ut, st, cut, cst, nt;
    char s;
    if (sscanf(q + 2, "%c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld %*d %*d %ld", &s,
               &pp, &ut, &st, &cut, &cst, &nt) == 7) {
      kids[pp].push_back(p);
      cpu[p] = (double)(ut + st + cut + cst) / (double)hz;
      thr[p] = (int)nt;
    }
  }
  closedir(d);
  vector<pid_t> st{root};
  while (!st.empty()) {
    pid_t p = st.back();
    st.pop_back();
    if (!cpu.count(p)) continue;
    u.cpu += cpu[p];
    u.procs++;
    u.threads += thr[p];
    for (pid_t k : kids[p]) st.push_back(k);
    if (mem) {
      char b[64];
      snprintf(b, sizeof b, "/proc/%d/statm", p);
      if (FILE* f = fopen(b, "r")) {
        long a, r;
        if (fscanf(f, "%ld %ld", &a, &r) == 2) u.rss_kb += (u64)r * 4;
        fclose(f);
      }
      if (pss) {
        snprintf(b, sizeof b, "/proc/%d/smaps_rollup", p);
        std::ifstream g(b);
        string l;
        while (std::getline(g, l))
          if (l.rfind("Pss:", 0) == 0) {
            u.pss_kb += strtoull(l.c_str() + 4, nullptr, 10);
            break;
          }
      }
    }
  }
  return u;
}
double sys_busy() {
  std::ifstream f("/proc/stat");
  string c;
  double u, n, s, id, io, irq, sirq, steal;
  f >> c >> u >> n >> s >> id >> io >> irq >> sirq >> steal;
  return (u + n + s + irq + sirq) / (double)sysconf(_SC_CLK_TCK);
}
double self_cpu() {
  rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6 + (double)r.ru_stime.tv_sec +
         (double)r.ru_stime.tv_usec / 1e6;
}
long tcp_mem_pages() {
  std::ifstream f("/proc/net/sockstat");
  string l;
  while (std::getline(f, l))
    if (l.rfind("TCP:", 0) == 0) {
      size_t p = l.find("mem ");
      return p == string::npos ? 0 : atol(l.c_str() + p + 4);
    }
  return 0;
}
void cleanup_server() {
  if (g_srv <= 0) return;
  pid_t p = g_srv;
  g_srv = -1;
  if (g_stdin >= 0) {
    close(g_stdin);
    g_stdin = -1;
  }  // the whole group is ours: it was created with setpgid
  kill(-p, SIGTERM);
  for (int i = 0; i < 100; i++) {
    if (waitpid(p, nullptr, WNOHANG) == p) {
      kill(-p, SIGKILL);
      return;
    }
    usleep(20000);
  }
  kill(-p, SIGKILL);
  waitpid(p, nullptr, 0);
}
void start_server(const string& cmd, bool want_stdin, const string& log) {
  int pf[2] = {-1, -1};
  if (want_stdin && pipe2(pf, O_CLOEXEC)) die("pipe");
  pid_t p = fork();
  if (p < 0) die("fork");
  if (!p) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (want_stdin)
      dup2(pf[0], 0);
    else {
      int n = open("/dev/null", O_RDONLY);
      dup2(n, 0);
    }
    int l = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(l, 1);
    dup2(l, 2);
    execl("/bin/bash", "bash", "-c", ("exec " + cmd).c_str(), (char*)nullptr);
    _exit(127);
  }
  setpgid(p, p);
  g_srv = p;
  if (want_stdin) {
    close(pf[0]);
    g_stdin = pf[1];
  }
}
