#include "tests/bench/fan/publisher.hpp"

#include "tests/bench/fan/adapter.hpp"
#include "tests/bench/fan/messages.hpp"
#include "tests/bench/fan/options.hpp"
#include "tests/bench/fan/server_process.hpp"
#include "tests/bench/fan/subscribers.hpp"
#include "tests/bench/fan/wire.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

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
void Pub::drainer() {
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
void Pub::open() {
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
void Pub::add() {
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
void Pub::flush() {
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

bool wait_done(u64 target, double tmo) {
  u64 end = now_ns() + (u64)(tmo * 1e9);
  while (completed() < target) {
    if (now_ns() > end) return false;
    timespec s{0, 50000};
    nanosleep(&s, nullptr);
  }
  return true;
}
void publish(double secs, double rate, u64 limit) {
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

void prime(double tmo) {
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
