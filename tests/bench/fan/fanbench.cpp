// fanbench: load harness for fan-out servers (WebSocket / SSE), Linux only, no dependencies.
// One process = N subscribers on epoll (T threads, default 1) + one publisher thread; the server is
// a child process, so its CPU seconds and memory are read from /proc for the whole process tree.
// Adapters live in adapters.ini. See README.md.
#include "tests/bench/fan/adapter.hpp"
#include "tests/bench/fan/histogram.hpp"
#include "tests/bench/fan/messages.hpp"
#include "tests/bench/fan/options.hpp"
#include "tests/bench/fan/publisher.hpp"
#include "tests/bench/fan/server_process.hpp"
#include "tests/bench/fan/subscribers.hpp"
#include "tests/bench/fan/wire.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
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
