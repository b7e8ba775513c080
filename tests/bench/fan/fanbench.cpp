// fanbench: load harness for fan-out servers (WebSocket / SSE), Linux only, no dependencies.
// One process = N subscribers on epoll (T threads, default 1) + one publisher thread; the server is
// a child process, so its CPU seconds and memory are read from /proc for the whole process tree.
// Adapters live in adapters.ini. See README.md.
#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <set>
#include <sstream>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
using std::string;
using std::vector;
typedef uint64_t u64;
typedef uint32_t u32;

static u64 now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}
static void sleep_until(u64 ns) {
  timespec t{(time_t)(ns / 1000000000ull), (long)(ns % 1000000000ull)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR)
    ;
}
[[noreturn]] static void die(const char* f, ...) {
  va_list a;
  va_start(a, f);
  fprintf(stderr, "fanbench: ");
  vfprintf(stderr, f, a);
  fputc('\n', stderr);
  va_end(a);
  extern void cleanup_server();
  cleanup_server();
  _exit(2);
}

// ---------------------------------------------------------------- histogram: 32 sub-buckets per
// octave (<=3.1% error)
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

// ---------------------------------------------------------------- adapters.ini
typedef std::map<string, string> Kv;
static string unesc(const string& s) {
  string o;
  for (size_t i = 0; i < s.size(); i++) {
    if (s[i] != '\\' || i + 1 >= s.size()) {
      o += s[i];
      continue;
    }
    char c = s[++i];
    if (c == 'r')
      o += '\r';
    else if (c == 'n')
      o += '\n';
    else if (c == 't')
      o += '\t';
    else if (c == 'x' && i + 2 < s.size()) {
      o += (char)strtol(s.substr(i + 1, 2).c_str(), nullptr, 16);
      i += 2;
    } else
      o += c;
  }
  return o;
}
static Kv load_adapter(const string& file, const string& name) {
  std::ifstream f(file);
  if (!f) die("cannot open %s", file.c_str());
  string l, sec;
  Kv kv;
  bool seen = false;
  while (std::getline(f, l)) {
    if (l.empty() || l[0] == '#' || l[0] == ';') continue;
    if (l[0] == '[') {
      sec = l.substr(1, l.find(']') - 1);
      if (sec == name) seen = true;
      continue;
    }
    if (sec != name) continue;
    size_t e = l.find('=');
    if (e == string::npos) continue;
    auto tr = [](string s) {
      size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
      return a == string::npos ? string() : s.substr(a, b - a + 1);
    };
    kv[tr(l.substr(0, e))] = tr(l.substr(e + 1));
  }
  if (!seen) die("no adapter [%s] in %s", name.c_str(), file.c_str());
  return kv;
}
static Kv A;
static string get(const string& k, const string& d = "") {
  auto i = A.find(k);
  return i == A.end() ? d : i->second;
}

// ---------------------------------------------------------------- server process tree: CPU and
// memory from /proc
static pid_t g_srv = -1;
static int g_stdin = -1;
struct Usage {
  double cpu = 0;
  u64 rss_kb = 0, pss_kb = 0;
  int procs = 0, threads = 0;
};
static Usage tree_usage(pid_t root, bool mem, bool pss = true) {
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
static double sys_busy() {
  std::ifstream f("/proc/stat");
  string c;
  double u, n, s, id, io, irq, sirq, steal;
  f >> c >> u >> n >> s >> id >> io >> irq >> sirq >> steal;
  return (u + n + s + irq + sirq) / (double)sysconf(_SC_CLK_TCK);
}
static double self_cpu() {
  rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6 + (double)r.ru_stime.tv_sec +
         (double)r.ru_stime.tv_usec / 1e6;
}
static long tcp_mem_pages() {
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
static void start_server(const string& cmd, bool want_stdin, const string& log) {
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
static int tcp_connect(int port, bool quiet = false) {
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons((uint16_t)port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(s, (sockaddr*)&a, sizeof a)) {
    close(s);
    if (!quiet) die("connect to port %d: %s", port, strerror(errno));
    return -1;
  }
  int one = 1;
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return s;
}

// ---------------------------------------------------------------- frames
static string ws_frame(int op, const string& p) {
  string f;
  f += (char)(0x80 | op);
  size_t n = p.size();
  if (n < 126)
    f += (char)(0x80 | n);
  else if (n < 65536) {
    f += (char)(0x80 | 126);
    f += (char)(n >> 8);
    f += (char)n;
  } else {
    f += (char)(0x80 | 127);
    for (int i = 7; i >= 0; i--) f += (char)((u64)n >> (8 * i));
  }
  f.append(4, '\0');
  return f + p;
}  // zero mask key: payload bytes unchanged
static string upgrade_req(int port, const string& path, const string& proto, const string& hdr,
                          bool sse) {
  string r = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n";
  if (sse)
    r += "Accept: text/event-stream\r\n";
  else {
    r += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
         "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    if (!proto.empty()) r += "Sec-WebSocket-Protocol: " + proto + "\r\n";
  }
  return r + unesc(hdr) + "\r\n";
}
// ---------------------------------------------------------------- messages: real-shaped UI lines;
// marker fb~<seq 10>~<ns 19>~ sits in
// "@message"
static const char MARK0[] = "fb~";
enum { MARKLEN = 3 + 10 + 1 + 19 + 1 };
struct Tpl {
  string s;
  size_t off;
};
// shape "log": only provision_progress lines, marker in hook.output (for servers that rebuild text
// from fields), preceded by g_preamble, which opens the run, an apply and a provisioner for every
// resource.
static string g_preamble;
static vector<Tpl> make_templates(int nres, int pad, bool log) {
  vector<Tpl> v;
  const char* rt[] = {"aws_instance", "aws_subnet", "null_resource", "aws_security_group",
                      "random_pet"};
  const char* pv[] = {"aws", "aws", "null", "aws", "random"};
  const char* rn[] = {"web", "main", "none", "edge", "animal"};
  for (int i = 0; i < nres; i++)
    for (int k = 0; k < 6; k++) {
      int t = i % 5;
      char a[128], res[512];
      snprintf(a, sizeof a, "%s.%s[%d]", rt[t], rn[t], i);
      snprintf(res, sizeof res,
               "{\"addr\":\"%s\",\"module\":\"\",\"resource\":\"%s\",\"implied_provider\":\"%s\","
               "\"resource_type\":\"%s\",\"resource_"
               "name\":\"%s\",\"resource_key\":%d}",
               a, a, pv[t], rt[t], rn[t], i);
      string M = string("fb~") + string(10, '0') + "~" + string(19, '0') + "~";
      string msg, hook, type;
      string A_ = a, R = res;
      string P(pad, 'x');
      if (log) {
        auto line = [&](const char* log_type, const string& log_hook) {
          return "{\"@level\":\"info\",\"@message\":\"" + A_ +
                 ": (local-exec): "
                 "...\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.825308Z\","
                 "\"hook\":{\"resource\":" +
                 R + "," + log_hook + "},\"type\":\"" + log_type + "\"}";
        };
        if (i == 0 && k == 0)
          g_preamble =
              "{\"@level\":\"info\",\"@message\":\"OpenTofu "
              "1.12.6\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.000000Z\","
              "\"tofu\":\"1.12.6\",\"type\":\"version\",\"ui\":\"1.2\"}\n";
        if (k == 0)
          g_preamble += line("apply_start", "\"action\":\"create\"") + "\n" +
                        line("provision_start", "\"provisioner\":\"local-exec\"") + "\n";
        string s = line("provision_progress",
                        "\"provisioner\":\"local-exec\",\"output\":\"" + M + P +
                            "step ok, still working on the thing that takes its time\"");
        v.push_back({s, s.find("fb~")});
        continue;
      }
      switch (k) {
        case 0:
          type = "refresh_start";
          msg = A_ + ": Refreshing state... " + M;
          hook = "\"id_key\":\"id\",\"id_value\":\"i-0" + std::to_string(1000 + i) + "\"";
          break;
        case 1:
          type = "apply_start";
          msg = A_ + ": Creating... " + M;
          hook = "\"action\":\"create\"";
          break;
        case 2:
        case 3:
          type = "apply_progress";
          msg = A_ + ": Still creating... [" + std::to_string(10 * (k - 1)) + "s elapsed] " + M;
          hook = "\"action\":\"create\",\"elapsed_seconds\":" + std::to_string(10 * (k - 1));
          break;
        case 4:
          type = "provision_progress";
          msg = A_ + ": (local-exec): " + M;
          hook = "\"provisioner\":\"local-exec\",\"output\":\"step ok\"";
          break;
        default:
          type = "apply_complete";
          msg = A_ + ": Creation complete " + M;
          hook = "\"action\":\"create\",\"id_key\":\"id\",\"id_value\":\"i-0" +
                 std::to_string(1000 + i) + "\",\"elapsed_seconds\":30";
      }
      string s = "{\"@level\":\"info\",\"@message\":\"" + msg + P +
                 "\",\"@module\":\"tofu.ui\",\"@timestamp\":\"2026-11-20T13:32:41.825308Z\","
                 "\"hook\":{\"resource\":" +
                 R + "," + hook + "},\"type\":\"" + type + "\"}";
      v.push_back({s, s.find("fb~")});
    }
  return v;
}
static vector<Tpl> g_tpl;
static inline void put_num(char* p, u64 v, int w) {
  for (int i = w - 1; i >= 0; i--) {
    p[i] = (char)('0' + v % 10);
    v /= 10;
  }
}

// ---------------------------------------------------------------- subscribers
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
struct Opt {
  string adapter, ini, mode = "fan", json, label, server, path, first, log = "fanbench-server.log";
  int subs = 1, threads = 1, port = 0, hist = 10000, pad = 0;
  double rate = 0, secs = 5, warmup = 1;
  u64 window = 512;
  int maxbatch = 64;
} O;
static std::atomic<u64> g_s0{~0ull}, g_s1{~0ull}, g_done{0}, g_open{0}, g_dead{0}, g_seen{0};
static std::atomic<bool> g_stop{false};
static const u32 TSRING = 1u << 20;
static vector<std::atomic<u64>> g_ts(TSRING);
static string g_req;
static vector<string> g_first;
static bool g_sse = false;
static int g_port = 0;
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

static void conn_dead(Worker& w, u32 i) {
  Conn& c = w.c[i];
  if (c.st == S_DEAD) return;
  if (c.st == S_CONN || c.st == S_HS) w.inflight--;
  if (c.st == S_OPEN) g_open--;
  c.st = S_DEAD;
  g_dead++;
  epoll_ctl(w.ep, EPOLL_CTL_DEL, c.fd, nullptr);
  w.last[i] = ~0ull;
}
static void on_marker(Worker& w, u32 i, u64 seq, u64 ts, u64 now) {
  Conn& c = w.c[i];
  c.n++;
  w.total++;
  u64 L = w.last[i];
  if (!c.t_first) {
    c.t_first = now;
    g_seen++;
  }
  if (seq > L) {
    if (L && seq != L + 1) c.gaps += seq - L - 1;
    w.last[i] = seq;
  } else
    c.dups++;
  if (seq >= g_s0.load(std::memory_order_relaxed) && seq <= g_s1.load(std::memory_order_relaxed)) {
    w.meas++;
    w.h.add(now > ts ? now - ts : 0);
  }
}
// scan payload bytes for markers. returns number of bytes consumed (a tail that may hold a partial
// marker is left when !fin)
static size_t scan(Worker& w, u32 i, const char* p, size_t n, bool fin, u64 now) {
  const char *b = p, *e = p + n;
  while (b < e) {
    const char* q = (const char*)memchr(b, '~', (size_t)(e - b));
    if (!q) break;
    if (q - p >= 2 && q - b >= 0 && q[-1] == 'b' && q[-2] == 'f') {
      if (q - 2 + MARKLEN > e) {
        if (!fin) return (size_t)(q - 2 - p);
        break;
      }
      if (q[11] == '~' && q[31] == '~') {
        u64 s = 0, t = 0;
        for (int k = 1; k <= 10; k++) s = s * 10 + (u64)(q[k] - '0');
        for (int k = 12; k <= 30; k++) t = t * 10 + (u64)(q[k] - '0');
        on_marker(w, i, s, t, now);
        b = q + 32;
        continue;
      }
    }
    b = q + 1;
  }
  if (!fin && n >= 2 && (e[-1] == 'f')) return n - 1;
  if (!fin && n >= 2 && e[-2] == 'f' && e[-1] == 'b') return n - 2;
  return n;
}
static void feed(Worker& w, u32 i, char* p, size_t n, u64 now) {
  Conn& c = w.c[i];
  if (g_sse || c.raw) {
    size_t k = scan(w, i, p, n, false, now);
    c.left.assign(p + k, n - k);
    return;
  }
  size_t pos = 0;
  while (pos < n) {
    if (!c.rem) {
      size_t av = n - pos;
      if (av < 2) {
        break;
      }
      unsigned char b0 = (unsigned char)p[pos], b1 = (unsigned char)p[pos + 1];
      u64 l = b1 & 127;
      size_t h = 2;
      if (l == 126) {
        h = 4;
        if (av < h) break;
        l = ((u64)(unsigned char)p[pos + 2] << 8) | (unsigned char)p[pos + 3];
      } else if (l == 127) {
        h = 10;
        if (av < h) break;
        l = 0;
        for (int k = 0; k < 8; k++) l = (l << 8) | (unsigned char)p[pos + 2 + k];
      }
      int op = b0 & 15;
      if (op >= 8) {
        if (av < h + l) break;
        if (op == 8) {
          c.closecode =
              l >= 2 ? ((unsigned char)p[pos + h] << 8 | (unsigned char)p[pos + h + 1]) : 1005;
        } else if (op == 9) {
          string f = ws_frame(10, string(p + pos + h, l));
          (void)!send(c.fd, f.data(), f.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        pos += h + l;
        continue;
      }
      if (b0 & 0x70) {
        w.failmsg = "rsv bits set";
      }
      c.op = (uint8_t)op;
      c.rem = l;
      c.frames++;
      w.frames++;
      pos += h;
      if (!l) continue;
      if (pos >= n) break;
    }
    size_t av = std::min<u64>(c.rem, n - pos);
    bool fin = av == c.rem;
    size_t k = scan(w, i, p + pos, av, fin, now);
    pos += k;
    c.rem -= k;
    if (k < av) break;
  }
  c.left.assign(p + pos, n - pos);
}
static void start_conn(Worker& w, u32 i) {
  Conn& c = w.c[i];
  c.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (c.fd < 0) die("socket: %s (raise ulimit -n)", strerror(errno));
  int one = 1;
  setsockopt(c.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  c.t_conn = now_ns();
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons((uint16_t)g_port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int r = connect(c.fd, (sockaddr*)&a, sizeof a);
  if (r && errno != EINPROGRESS) die("connect: %s", strerror(errno));
  c.st = S_CONN;
  w.inflight++;
  epoll_event ev{};
  ev.events = EPOLLIN | EPOLLOUT;
  ev.data.u32 = i;
  epoll_ctl(w.ep, EPOLL_CTL_ADD, c.fd, &ev);
}
static void worker(Worker* wp) {
  Worker& w = *wp;
  prctl(PR_SET_TIMERSLACK, 1);
  vector<epoll_event> evs(2048);
  u64 lastmin = 0;
  while (!g_stop.load(std::memory_order_relaxed)) {
    while (!w.stopped_new && w.next < (int)w.c.size() && w.inflight < 128)
      start_conn(w, (u32)w.next++);
    int n = epoll_wait(w.ep, evs.data(), (int)evs.size(), 50);
    u64 now = now_ns();
    for (int k = 0; k < n; k++) {
      u32 i = evs[k].data.u32;
      Conn& c = w.c[i];
      if (c.st == S_DEAD) continue;
      if (c.st == S_CONN) {
        if (evs[k].events & (EPOLLERR | EPOLLHUP)) {
          w.fails++;
          conn_dead(w, i);
          continue;
        }
        epoll_event ev{};
        ev.events = EPOLLIN;
        ev.data.u32 = i;
        epoll_ctl(w.ep, EPOLL_CTL_MOD, c.fd, &ev);
        (void)!send(c.fd, g_req.data(), g_req.size(), MSG_NOSIGNAL);
        c.st = S_HS;
        continue;
      }
      size_t l = c.left.size();
      if (l) {
        if (l > w.buf.size() / 2) w.buf.resize(l * 2 + (1 << 18));
        memcpy(w.buf.data(), c.left.data(), l);
        c.left.clear();
      }
      ssize_t r = recv(c.fd, w.buf.data() + l, w.buf.size() - l, 0);
      w.reads++;
      now = now_ns();
      if (r <= 0) {
        if (r < 0 && (errno == EAGAIN || errno == EINTR)) {
          if (l) c.left.assign(w.buf.data(), l);
          continue;
        }
        if (c.st != S_OPEN) {
          w.fails++;
          w.failmsg = "closed during handshake";
        }
        conn_dead(w, i);
        continue;
      }
      c.bytes += (u64)r;
      w.bytes += (u64)r;
      w.last_rx = now;
      size_t tot = l + (size_t)r;
      char* p = w.buf.data();
      if (c.st == S_HS) {
        char* e = (char*)memmem(p, tot, "\r\n\r\n", 4);
        if (!e) {
          c.left.assign(p, tot);
          continue;
        }
        bool ok = !memcmp(p, g_sse ? "HTTP/1.1 200" : "HTTP/1.1 101", 12);
        if (!ok) {
          w.fails++;
          w.failmsg = string(p, std::min<size_t>(tot, 200));
          conn_dead(w, i);
          continue;
        }
        for (auto& f : g_first) (void)!send(c.fd, f.data(), f.size(), MSG_NOSIGNAL);
        c.st = S_OPEN;
        c.t_open = now;
        w.inflight--;
        g_open++;
        size_t h = (size_t)(e + 4 - p);
        p += h;
        tot -= h;
        if (!tot) continue;
      }
      feed(w, i, p, tot, now);
    }
    u64 m = ~0ull;
    for (u64 v : w.last) m = std::min(m, v);
    if (m == ~0ull) m = 0;
    if (m > lastmin) {
      if (w.one) {
        u64 s0 = g_s0.load(), s1 = g_s1.load();
        for (u64 s = std::max(lastmin + 1, s0); s <= m && s <= s1; s++) {
          u64 t = g_ts[s % TSRING].load(std::memory_order_relaxed);
          if (now > t) w.hl.add(now - t);
        }
      }
      lastmin = m;
      w.min.store(m, std::memory_order_release);
    }
    w.a_meas.store(w.meas, std::memory_order_relaxed);
  }
}
static vector<std::unique_ptr<Worker>> W;
static u64 completed() {
  u64 m = ~0ull;
  for (auto& w : W) m = std::min(m, w->min.load(std::memory_order_acquire));
  return m == ~0ull ? 0 : m;
}

// ---------------------------------------------------------------- publisher
// ${NAME} in a publisher format is taken from the environment (tokens do not belong in
// adapters.ini)
static string envsub(string s) {
  for (size_t p; (p = s.find("${")) != string::npos;) {
    size_t e = s.find('}', p);
    if (e == string::npos) break;
    const char* v = getenv(s.substr(p + 2, e - p - 2).c_str());
    s.replace(p, e - p + 1, v ? v : "");
  }
  return s;
}
struct Pub {
  string kind, fmt;
  int fd = -1;
  u64 seq = 0;
  string out;
  std::thread drain;
  size_t tix = 0;
  void drainer() {
    drain = std::thread([this] {
      char b[65536];
      for (;;) {
        ssize_t r = recv(fd, b, sizeof b, 0);
        if (r <= 0) return;
        if (kind == "tcp" && r >= 6 && !memcmp(b, "PING\r\n", 6))
          (void)!send(fd, "PONG\r\n", 6, MSG_NOSIGNAL);
      }
    });
  }
  void open() {
    kind = get("pub.kind", "stdin");
    fmt = envsub(unesc(get("pub.fmt", kind == "stdin" || kind == "file" ? "{msg}\\n" : "{msg}")));
    int port = atoi(get("pub.port", std::to_string(g_port)).c_str());
    if (kind == "stdin") {
      fd = g_stdin;
      for (size_t n = 0; n < g_preamble.size();) {
        ssize_t k = write(fd, g_preamble.data() + n, g_preamble.size() - n);
        if (k <= 0) die("server closed its stdin during the preamble");
        n += (size_t)k;
      }
      fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    } else if (kind == "file") {
      fd = ::open(get("pub.file").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
      if (fd < 0) die("open %s", get("pub.file").c_str());
    } else {
      fd = tcp_connect(port);
      string hello = unesc(get("pub.hello"));
      if (kind == "ws") {
        string r =
            upgrade_req(port, get("pub.path", "/"), get("pub.proto"), get("pub.header"), false);
        (void)!send(fd, r.data(), r.size(), 0);
        char b[4096];
        size_t n = 0;
        while (n < sizeof b) {
          ssize_t k = recv(fd, b + n, sizeof b - n, 0);
          if (k <= 0) die("publisher handshake closed");
          n += (size_t)k;
          if (memmem(b, n, "\r\n\r\n", 4)) break;
        }
        if (memcmp(b, "HTTP/1.1 101", 12))
          die("publisher handshake: %.*s", (int)std::min<size_t>(n, 300), b);
        if (!hello.empty()) hello = ws_frame(1, hello);
      }
      if (!hello.empty()) (void)!send(fd, hello.data(), hello.size(), 0);
      usleep(100000);
      drainer();
    }
  }
  void add() {  // format one message into out
    Tpl& t = g_tpl[tix++ % g_tpl.size()];
    seq++;
    u64 n = now_ns();
    put_num(&t.s[t.off + 3], seq, 10);
    put_num(&t.s[t.off + 14], n, 19);
    g_ts[seq % TSRING].store(n, std::memory_order_relaxed);
    string body;
    bool ws = kind == "ws";
    string& o = ws ? body : out;
    size_t p = 0;
    while (p < fmt.size()) {
      size_t q = fmt.find('{', p);
      if (q == string::npos) {
        o.append(fmt, p, string::npos);
        break;
      }
      o.append(fmt, p, q - p);
      if (!fmt.compare(q, 5, "{msg}")) {
        o += t.s;
        p = q + 5;
      } else if (!fmt.compare(q, 5, "{len}")) {
        o += std::to_string(t.s.size() + (size_t)atoi(get("pub.lenadd", "0").c_str()));
        p = q + 5;
      } else if (!fmt.compare(q, 5, "{seq}")) {
        o += std::to_string(seq);
        p = q + 5;
      } else {
        o += '{';
        p = q + 1;
      }
    }
    if (ws) out += ws_frame(1, body);
  }
  void flush() {
    size_t p = 0;
    while (p < out.size()) {
      ssize_t r = write(fd, out.data() + p, out.size() - p);
      if (r < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN) {  // stdin pipe is non-blocking here: a server that stops reading must
                                // not hang the harness
          pollfd pf{fd, POLLOUT, 0};
          if (poll(&pf, 1, 30000) == 0) die("the server did not read its stdin for 30 s");
          continue;
        }
        die("publisher write: %s", strerror(errno));
      }
      p += (size_t)r;
    }
    out.clear();
  }
} P;
static Hist g_publag;
static u64 g_waits_timeout = 0;
// wait until every live subscriber has reached `target`; polls at 50 us, false on time-out
static bool wait_done(u64 target, double tmo) {
  u64 end = now_ns() + (u64)(tmo * 1e9);
  while (completed() < target) {
    if (now_ns() > end) return false;
    timespec s{0, 50000};
    nanosleep(&s, nullptr);
  }
  return true;
}
// publish for `secs` at `rate` (0 = closed loop: at most `window` messages ahead of the slowest
// live subscriber)
static void publish(double secs, double rate, u64 limit = 0) {
  u64 t0 = now_ns(), end = t0 + (u64)(secs * 1e9);
  u64 cnt = 0;
  if (rate > 0) {
    double iv = 1e9 / rate;
    while (true) {
      u64 due = t0 + (u64)(iv * (double)cnt);
      if (due >= end || (limit && cnt >= limit)) break;
      u64 n = now_ns();
      if (n < due) {
        sleep_until(due);
        n = now_ns();
      }
      if (n > end + (u64)1e9) break;
      g_publag.add(n - due);
      // above 5k/s send what is due in one write
      P.add();
      cnt++;
      if (rate > 5000) {
        while (t0 + (u64)(iv * (double)cnt) <= n && P.out.size() < 60000 &&
               !(limit && cnt >= limit)) {
          P.add();
          cnt++;
        }
      }
      P.flush();
    }
  } else {
    while (now_ns() < end && !(limit && cnt >= limit)) {
      u64 done = completed();
      u64 room = P.seq - done < O.window ? O.window - (P.seq - done) : 0;
      if (room < O.window / 4) {
        if (!wait_done(P.seq - std::min(P.seq, O.window / 2), 5)) {
          g_waits_timeout++;
          room = O.window / 2;
        } else
          continue;
      }
      u64 k = std::min<u64>(room, (u64)O.maxbatch);
      if (limit) k = std::min(k, limit - cnt);
      for (u64 j = 0; j < k; j++) {
        P.add();
        cnt++;
      }
      P.flush();
    }
  }
}

static void build_sub(const string& prefix) {
  auto g = [&](const string& k, const string& d = "") {
    string v = get(prefix + k, "\x01");
    return v == "\x01" ? get("sub." + k, d) : v;
  };
  g_sse = g("transport", "ws") == "sse";
  string path = O.path.empty() ? g("path", "/") : O.path;
  g_req = upgrade_req(g_port, path, g("proto"), g("header"), g_sse);
  g_first.clear();
  int op = g("op", "text") == "binary" ? 2 : 1;
  for (string k : {"first", "first2", "first3"}) {
    string f = k == "first" && !O.first.empty() ? O.first : g(k);
    if (!f.empty()) g_first.push_back(ws_frame(op, unesc(f)));
  }
}
static void make_workers(int subs) {
  int T = std::max(1, std::min(O.threads, subs));
  for (int t = 0; t < T; t++) {
    auto w = std::make_unique<Worker>();
    w->ep = epoll_create1(EPOLL_CLOEXEC);
    int n = subs / T + (t < subs % T ? 1 : 0);
    w->c.resize((size_t)n);
    w->last.assign((size_t)n, 0);
    w->one = T == 1;
    W.push_back(std::move(w));
  }
  for (auto& w : W) w->th = std::thread(worker, w.get());
}
static void wait_open(u64 n, double tmo) {
  u64 end = now_ns() + (u64)(tmo * 1e9);
  while (g_open.load() + g_dead.load() < n && now_ns() < end) usleep(1000);
  if (g_open.load() < n) {
    string m;
    int f = 0;
    for (auto& w : W) {
      f += w->fails;
      if (!w->failmsg.empty()) m = w->failmsg;
    }
    fprintf(stderr, "fanbench: only %" PRIu64 " of %" PRIu64 " subscribers open (fails %d) %s\n",
            g_open.load(), n, f, m.c_str());
    if (!g_open.load()) die("no subscriber opened");
  }
}
// send probes until every open subscriber has seen one message
static void prime(double tmo) {
  u64 end = now_ns() + (u64)(tmo * 1e9);
  usleep(100000);
  while (g_seen.load() < g_open.load() && now_ns() < end) {
    P.add();
    P.flush();
    for (int i = 0; i < 50 && g_seen.load() < g_open.load(); i++) usleep(2000);
  }
  if (g_seen.load() < g_open.load())
    fprintf(stderr, "fanbench: only %" PRIu64 " of %" PRIu64 " subscribers saw a probe\n",
            g_seen.load(), g_open.load());
  wait_done(P.seq, 3);
}
struct Out {
  string s = "{";
  void f(const char* k, double v, int d = 3) {
    char b[96];
    snprintf(b, sizeof b, "\"%s\":%.*f,", k, d, v);
    s += b;
  }
  void u(const char* k, u64 v) { s += "\"" + string(k) + "\":" + std::to_string(v) + ","; }
  void t(const char* k, const string& v) { s += "\"" + string(k) + "\":\"" + v + "\","; }
};
static void emit(Out& o) {
  o.s.back() = '}';
  puts(o.s.c_str());
  fflush(stdout);
  if (!O.json.empty())
    if (FILE* f = fopen(O.json.c_str(), "a")) {
      fprintf(f, "%s\n", o.s.c_str());
      fclose(f);
    }
}
static void lat(Out& o, const Hist& h, const char* pfx) {
  string p = pfx;
  o.f((p + "p50_us").c_str(), h.q(.5) / 1e3, 1);
  o.f((p + "p99_us").c_str(), h.q(.99) / 1e3, 1);
  o.f((p + "p999_us").c_str(), h.q(.999) / 1e3, 1);
  o.f((p + "max_us").c_str(), (double)h.mx / 1e3, 1);
}

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  char self[4096];
  ssize_t sl = readlink("/proc/self/exe", self, sizeof self - 1);
  string here = sl > 0 ? string(self, (size_t)sl) : ".";
  here = here.substr(0, here.rfind('/'));
  if (const char* h = getenv("FANBENCH_DIR")) here = h;
  O.ini = here + "/adapters.ini";
  for (int i = 1; i < argc; i++) {
    string a = argv[i];
    auto v = [&]() -> string {
      if (i + 1 >= argc) die("%s needs a value", a.c_str());
      return argv[++i];
    };
    if (a == "--adapter")
      O.adapter = v();
    else if (a == "--ini")
      O.ini = v();
    else if (a == "--mode")
      O.mode = v();
    else if (a == "--subs")
      O.subs = stoi(v());
    else if (a == "--rate")
      O.rate = stod(v());
    else if (a == "--secs")
      O.secs = stod(v());
    else if (a == "--warmup")
      O.warmup = stod(v());
    else if (a == "--window")
      O.window = stoull(v());
    else if (a == "--batch")
      O.maxbatch = stoi(v());
    else if (a == "--threads")
      O.threads = stoi(v());
    else if (a == "--json")
      O.json = v();
    else if (a == "--label")
      O.label = v();
    else if (a == "--server")
      O.server = v();
    else if (a == "--port")
      O.port = stoi(v());
    else if (a == "--path")
      O.path = v();
    else if (a == "--first")
      O.first = v();
    else if (a == "--history")
      O.hist = stoi(v());
    else if (a == "--log")
      O.log = v();
    else if (a == "--pad")
      O.pad = stoi(v());
    else if (a == "--gen") {  // print real-shaped lines: --gen COUNT
      u64 n = stoull(v());
      g_tpl = make_templates(1000, 0, false);
      string o;
      for (u64 k = 0; k < n; k++) {
        Tpl& t = g_tpl[(k * 7) % g_tpl.size()];
        put_num(&t.s[t.off + 3], k + 1, 10);
        put_num(&t.s[t.off + 14], 1795238475000000000ull + k * 1000, 19);
        o += t.s;
        o += '\n';
        if (o.size() > 1 << 20) {
          fwrite(o.data(), 1, o.size(), stdout);
          o.clear();
        }
      }
      fwrite(o.data(), 1, o.size(), stdout);
      return 0;
    } else {
      fprintf(stderr,
              "usage: fanbench --adapter NAME [--mode fan|idle|late|stall] [--subs N] [--rate R|0] "
              "[--secs S] [--warmup S] "
              "[--window W] [--batch B] [--threads T] [--server CMD] [--port P] [--path /x] "
              "[--first MSG] [--history M] [--json "
              "FILE] [--label L] [--log FILE] | --gen COUNT\n");
      return 2;
    }
  }
  rlimit rl;
  getrlimit(RLIMIT_NOFILE, &rl);
  rl.rlim_cur = rl.rlim_max;
  setrlimit(RLIMIT_NOFILE, &rl);
  if ((rlim_t)O.subs + 64 > rl.rlim_cur)
    die("ulimit -n hard limit %lu is too low for %d subscribers", (unsigned long)rl.rlim_max,
        O.subs);
  A = load_adapter(O.ini, O.adapter);
  g_port = O.port ? O.port : atoi(get("port", "9100").c_str());
  setenv("PORT", std::to_string(g_port).c_str(), 1);
  setenv("HERE", here.c_str(), 1);
  setenv("SUBS", std::to_string(O.subs).c_str(), 1);
  setenv("MODE", O.mode.c_str(), 1);
  g_tpl = make_templates(200, O.pad, get("pub.shape") == "log");
  double avg = 0;
  for (auto& t : g_tpl) avg += (double)t.s.size();
  avg /= (double)g_tpl.size();
  string pk = get("pub.kind", "stdin");
  for (auto k : {"pub.file"})
    if (A.count(k)) {
      string f = A[k];
      unlink(f.c_str());
      { std::ofstream nf(f); }
      setenv("FEED", f.c_str(), 1);
    }
  if (string pre = get("pre"); !pre.empty() && system(pre.c_str()) != 0)
    fprintf(stderr, "fanbench: pre command failed\n");
  string cmd = O.server.empty() ? get("server") : O.server;
  if (!cmd.empty()) {
    int t = tcp_connect(g_port, true);
    if (t >= 0) die("port %d is already in use", g_port);
    start_server(cmd, pk == "stdin", O.log);
  }
  {
    u64 end = now_ns() + 15000000000ull;
    for (;;) {
      int s = tcp_connect(g_port, true);
      if (s >= 0) {
        close(s);
        break;
      }
      int st;
      if (g_srv > 0 && waitpid(g_srv, &st, WNOHANG) == g_srv) {
        g_srv = -1;
        die("server exited at start, see %s", O.log.c_str());
      }
      if (now_ns() > end) die("server did not open port %d", g_port);
      usleep(5000);
    }
  }
  usleep(300000);
  Out o;
  o.t("adapter", O.label.empty() ? O.adapter : O.label);
  o.t("mode", O.mode);
  o.u("subs", (u64)O.subs);
  o.f("rate", O.rate, 0);
  int rc = 0;
  if (O.mode == "idle") {
    Usage b = tree_usage(g_srv, true);
    long m0 = tcp_mem_pages();
    build_sub("sub.");
    u64 t0 = now_ns();
    make_workers(O.subs);
    wait_open((u64)O.subs, 60);
    double ct = (double)(now_ns() - t0) / 1e9;
    usleep(2000000);
    Usage a = tree_usage(g_srv, true);
    double c0 = a.cpu;
    usleep(3000000);
    Usage a2 = tree_usage(g_srv, true);
    u64 n = g_open.load();
    o.u("open", n);
    o.f("connect_per_s", (double)n / ct, 0);
    o.u("rss0_kb", b.rss_kb);
    o.u("rss_kb", a2.rss_kb);
    o.u("pss_kb", a2.pss_kb);
    o.f("rss_per_sub_kb", ((double)a2.rss_kb - (double)b.rss_kb) / (double)n, 2);
    o.f("pss_per_sub_kb", ((double)a2.pss_kb - (double)b.pss_kb) / (double)n, 2);
    o.f("tcp_mem_kb_per_sub", (double)(tcp_mem_pages() - m0) * 4 / (double)n, 2);
    o.f("idle_cpu_pct", (a2.cpu - c0) / 3 * 100, 2);
    o.f("connect_cpu_us", (a.cpu - b.cpu) / (double)n * 1e6, 1);
    o.u("procs", (u64)a2.procs);
    o.u("threads", (u64)a2.threads);
  } else if (O.mode == "fan" || O.mode == "stall") {
    build_sub("sub.");
    make_workers(O.subs);
    wait_open((u64)O.subs, 60);
    P.open();
    int sfd = -1;
    if (O.mode == "stall") {
      sfd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      int rb = 4096;
      setsockopt(sfd, SOL_SOCKET, SO_RCVBUF, &rb, sizeof rb);
      sockaddr_in a{};
      a.sin_family = AF_INET;
      a.sin_port = htons((uint16_t)g_port);
      a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      if (connect(sfd, (sockaddr*)&a, sizeof a)) die("stall connect");
      (void)!send(sfd, g_req.data(), g_req.size(), 0);
      char b[2048];
      ssize_t k = 0;
      size_t got = 0;
      while (got < sizeof b && (k = recv(sfd, b + got, 1, 0)) > 0) {
        got++;
        if (got >= 4 && !memcmp(b + got - 4, "\r\n\r\n", 4)) break;
      }
      for (auto& f : g_first) (void)!send(sfd, f.data(), f.size(), 0);
      usleep(200000);
    }
    prime(15);
    if (O.warmup > 0) publish(O.warmup, O.rate);
    if (O.rate == 0) wait_done(P.seq, 5);
    g_publag = Hist();
    g_s0 = P.seq + 1;
    Usage u0 = tree_usage(g_srv, true, false);
    double sb0 = sys_busy(), c0 = self_cpu();
    u64 t0 = now_ns();
    u64 sq0 = P.seq;
    std::atomic<bool> samp{true};
    u64 rss_peak = u0.rss_kb;
    std::thread sm;
    vector<u64> rs;
    bool closed_seen = false;
    double closed_at = 0;
    if (O.mode == "stall")
      sm = std::thread([&] {
        while (samp) {
          Usage u = tree_usage(g_srv, true, false);
          rs.push_back(u.rss_kb);
          rss_peak = std::max(rss_peak, u.rss_kb);
          tcp_info ti{};
          socklen_t tl = sizeof ti;
          if (!closed_seen && !getsockopt(sfd, IPPROTO_TCP, TCP_INFO, &ti, &tl) &&
              ti.tcpi_state != TCP_ESTABLISHED) {
            closed_seen = true;
            closed_at = (double)(now_ns() - t0) / 1e9;
          }
          usleep(250000);
        }
      });
    publish(O.secs, O.rate);
    u64 tp = now_ns();
    g_s1 = P.seq;
    u64 pubd = P.seq - sq0;
    {
      u64 end = now_ns() + 10000000000ull;
      u64 lastm = 0, lastt = now_ns();
      while (completed() < P.seq && now_ns() < end) {
        u64 m = 0;
        for (auto& w : W) m += w->a_meas.load();
        if (m != lastm) {
          lastm = m;
          lastt = now_ns();
        }
        if (now_ns() - lastt > 3000000000ull) break;
        usleep(500);
      }
    }
    u64 t1 = now_ns();
    if (completed() < P.seq) {
      u64 lr = 0;
      for (auto& w : W) lr = std::max(lr, w->last_rx);
      t1 = std::max(lr, tp);
    }
    Usage u1 = tree_usage(g_srv, true, false);
    double sb1 = sys_busy(), c1 = self_cpu();
    samp = false;
    if (sm.joinable()) sm.join();
    g_stop = true;
    for (auto& w : W) w->th.join();
    Hist h, hl;
    u64 meas = 0, frames = 0, bytes = 0, reads = 0, gaps = 0, dups = 0, tot = 0;
    int cc = 0;
    for (auto& w : W) {
      h.merge(w->h);
      hl.merge(w->hl);
      meas += w->meas;
      frames += w->frames;
      bytes += w->bytes;
      reads += w->reads;
      tot += w->total;
      for (auto& c : w->c) {
        gaps += c.gaps;
        dups += c.dups;
        if (c.closecode) cc = c.closecode;
      }
    }
    double dt = (double)(t1 - t0) / 1e9;
    o.u("published", pubd);
    o.f("pub_per_s", (double)pubd / ((double)(tp - t0) / 1e9), 0);
    o.u("delivered", meas);
    o.f("wall_s", dt);
    o.f("deliv_per_s", (double)meas / dt, 0);
    o.f("delivered_frac", pubd ? (double)meas / ((double)pubd * O.subs) : 0, 5);
    lat(o, h, "");
    if (W.size() == 1) {
      o.f("last_p50_us", hl.q(.5) / 1e3, 1);
      o.f("last_p99_us", hl.q(.99) / 1e3, 1);
    }
    o.f("srv_cpu_s", u1.cpu - u0.cpu);
    o.f("srv_cpu_s_per_M", meas ? (u1.cpu - u0.cpu) / ((double)meas / 1e6) : 0, 4);
    o.f("deliv_per_srv_cpu_s", u1.cpu > u0.cpu ? (double)meas / (u1.cpu - u0.cpu) : 0, 0);
    o.f("srv_cores", (u1.cpu - u0.cpu) / dt, 2);
    o.f("cli_cores", (c1 - c0) / dt, 2);
    o.f("sys_cores", (sb1 - sb0) / dt, 2);
    o.u("rss0_kb", u0.rss_kb);
    o.u("rss_kb", u1.rss_kb);
    o.f("msgs_per_frame", frames ? (double)tot / (double)frames : 0, 2);
    o.f("msgs_per_read", reads ? (double)tot / (double)reads : 0, 2);
    o.f("bytes_per_msg", tot ? (double)bytes / (double)tot : 0, 1);
    o.u("gaps", gaps);
    o.u("dups", dups);
    o.u("dead", g_dead.load());
    o.u("closecode", (u64)cc);
    o.u("wait_timeouts", g_waits_timeout);
    o.f("publag_p99_us", g_publag.q(.99) / 1e3, 1);
    o.f("line_bytes", avg, 1);
    if (O.mode == "stall") {
      o.u("rss_peak_kb", rss_peak);
      o.u("stalled_closed_during", closed_seen);
      o.f("stalled_closed_at_s", closed_at, 2);  // now read what the stalled one still gets
      timeval tv{2, 0};
      setsockopt(sfd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
      int big = 4 << 20;
      setsockopt(sfd, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
      static char b[1 << 20];
      u64 by = 0, ms = 0;
      u64 lastseq = 0;
      ssize_t r;
      bool eof = false;
      string err;
      string tail;
      u64 rt0 = now_ns();
      while ((r = recv(sfd, b, sizeof b, 0)) != 0) {
        if (r < 0) {
          err = strerror(errno);
          break;
        }
        by += (u64)r;
        string s = tail + string(b, (size_t)r);
        size_t p = 0;
        while ((p = s.find("fb~", p)) != string::npos) {
          if (p + MARKLEN > s.size()) break;
          ms++;
          lastseq = strtoull(s.substr(p + 3, 10).c_str(), nullptr, 10);
          p += MARKLEN;
        }
        tail = p == string::npos ? s.substr(s.size() - std::min<size_t>(s.size(), 2)) : s.substr(p);
        if (now_ns() - rt0 > 30000000000ull) break;
      }
      if (r == 0) eof = true;
      o.u("stalled_bytes", by);
      o.u("stalled_msgs", ms);
      o.u("stalled_lastseq", lastseq);
      o.u("pub_lastseq", P.seq);
      o.t("stalled_end",
          eof ? "eof"
              : (r < 0 ? (err == "Resource temporarily unavailable" ? "open" : err) : "cut"));
      Usage u2 = tree_usage(g_srv, true, false);
      o.u("rss_after_kb", u2.rss_kb);
    }
    if (P.fd >= 0 && P.drain.joinable()) {
      shutdown(P.fd, SHUT_RDWR);
      P.drain.join();
    }
  } else if (O.mode == "late") {  // one live subscriber while O.hist messages go in, then a late
                                  // joiner asks for the history
    build_sub("sub.");
    make_workers(1);
    wait_open(1, 10);
    P.open();
    u64 hist = (u64)O.hist;
    prime(10);
    u64 pre = P.seq;
    publish(60, 0, hist > pre ? hist - pre : 0);
    wait_done(P.seq, 20);
    usleep(500000);
    Usage u0 = tree_usage(g_srv, true, false);
    g_stop = true;
    for (auto& w : W) w->th.join();
    W.clear();
    g_stop = false;
    build_sub("late.");
    g_open = 0;
    g_dead = 0;
    g_seen = 0;
    u64 t0 = now_ns();
    make_workers(1);
    Worker& w = *W[0];
    u64 end = now_ns() + 20000000000ull;
    u64 tfull = 0;
    while (now_ns() < end) {
      if (w.min.load() >= P.seq) {
        tfull = now_ns();
        break;
      }
      usleep(100);
    }
    g_stop = true;
    w.th.join();
    Usage u1 = tree_usage(g_srv, true, false);
    Conn& c = w.c[0];
    o.u("history", P.seq);
    o.u("got", c.n);
    o.f("open_ms", c.t_open ? (double)(c.t_open - t0) / 1e6 : -1);
    o.f("first_ms", c.t_first ? (double)(c.t_first - t0) / 1e6 : -1);
    o.f("full_ms", tfull ? (double)(tfull - t0) / 1e6 : -1);
    o.f("srv_cpu_ms", (u1.cpu - u0.cpu) * 1e3, 1);
    o.u("bytes", c.bytes);
    o.u("frames", c.frames);
    o.u("rss_kb", u1.rss_kb);
    if (P.fd >= 0 && P.drain.joinable()) {
      shutdown(P.fd, SHUT_RDWR);
      P.drain.join();
    }
  } else
    die("unknown mode %s", O.mode.c_str());
  emit(o);
  g_stop = true;
  for (auto& w : W)
    if (w->th.joinable()) w->th.join();
  linger lg{1, 0};
  for (auto& w : W)
    for (auto& c : w->c)
      if (c.fd >= 0) {
        setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &lg, sizeof lg);
        close(c.fd);
      }
  cleanup_server();
  return rc;
}
