#include "tests/bench/fan/subscribers.hpp"

#include "tests/bench/fan/adapter.hpp"
#include "tests/bench/fan/messages.hpp"
#include "tests/bench/fan/options.hpp"
#include "tests/bench/fan/wire.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

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
u64 completed() {
  u64 m = ~0ull;
  for (auto& w : W) m = std::min(m, w->min.load(std::memory_order_acquire));
  return m == ~0ull ? 0 : m;
}

void build_sub(const string& prefix) {
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
void make_workers(int subs) {
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
void wait_open(u64 n, double tmo) {
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
