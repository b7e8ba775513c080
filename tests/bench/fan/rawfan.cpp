// rawfan: physical-limit anchor inside the fanbench harness. stdin lines -> WebSocket text frames
// -> every socket. usage: rawfan PORT line|chunk [maxbatch] [window_us]
//   line : one send() per line per socket (unbatched fan-out)
//   chunk: everything one read() of stdin gave (at most maxbatch lines) is framed once and sent
//   with one send() per socket window_us : after each flush sleep that long, so a paced stream is
//   coalesced (the price is that much latency)
// Blocking sockets, no slow-consumer policy, no ping/pong, fixed accept key of fanbench's fixed
// client key: an anchor, not a server.
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::mutex mu;
static std::vector<int> pending;

static void accept_loop(int ls) {
  for (;;) {
    int s = accept(ls, nullptr, nullptr);
    if (s < 0) continue;
    char b[4096];
    size_t n = 0;
    bool ok = false;
    while (n < sizeof b) {
      ssize_t r = recv(s, b + n, sizeof b - n, 0);
      if (r <= 0) break;
      n += (size_t)r;
      if (n >= 4 && memmem(b, n, "\r\n\r\n", 4)) {
        ok = true;
        break;
      }
    }
    if (!ok) {
      close(s);
      continue;
    }
    static const char up[] =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    int one = 1;
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)!send(s, up, sizeof up - 1, MSG_NOSIGNAL);
    std::lock_guard<std::mutex> l(mu);
    pending.push_back(s);
  }
}
static void put_frame(std::string& o, const char* p, size_t n) {
  o += (char)0x81;
  if (n < 126)
    o += (char)n;
  else {
    o += (char)126;
    o += (char)(n >> 8);
    o += (char)n;
  }
  o.append(p, n);
}
int main(int argc, char** argv) {
  int port = argc > 1 ? atoi(argv[1]) : 9102;
  bool chunk = argc > 2 && !strcmp(argv[2], "chunk");
  int maxb = argc > 3 ? atoi(argv[3]) : 1 << 20;
  int win = argc > 4 ? atoi(argv[4]) : 0;
  rlimit rl;
  getrlimit(RLIMIT_NOFILE, &rl);
  rl.rlim_cur = rl.rlim_max;
  setrlimit(RLIMIT_NOFILE, &rl);
  int ls = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(ls, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons((uint16_t)port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(ls, (sockaddr*)&a, sizeof a) || listen(ls, 4096)) {
    perror("listen");
    return 1;
  }
  std::thread(accept_loop, ls).detach();
  std::vector<int> subs;
  std::string part, out;
  static char buf[65536];
  auto flush = [&] {
    if (out.empty()) return;
    {
      std::lock_guard<std::mutex> l(mu);
      subs.insert(subs.end(), pending.begin(), pending.end());
      pending.clear();
    }
    for (size_t i = 0; i < subs.size();) {
      const char* p = out.data();
      size_t n = out.size();
      bool dead = false;
      while (n) {
        ssize_t r = send(subs[i], p, n, MSG_NOSIGNAL);
        if (r < 0) {
          if (errno == EINTR) continue;
          dead = true;
          break;
        }
        p += r;
        n -= (size_t)r;
      }
      if (dead) {
        close(subs[i]);
        subs[i] = subs.back();
        subs.pop_back();
      } else
        i++;
    }
    out.clear();
  };
  for (;;) {
    ssize_t r = read(0, buf, sizeof buf);
    if (r <= 0) break;
    char *p = buf, *e = buf + r;
    int k = 0;
    while (p < e) {
      char* q = (char*)memchr(p, '\n', (size_t)(e - p));
      if (!q) {
        part.append(p, (size_t)(e - p));
        break;
      }
      if (part.empty())
        put_frame(out, p, (size_t)(q - p));
      else {
        part.append(p, (size_t)(q - p));
        put_frame(out, part.data(), part.size());
        part.clear();
      }
      p = q + 1;
      if (!chunk || ++k >= maxb) {
        flush();
        k = 0;
      }
    }
    flush();
    if (win) usleep((useconds_t)win);
  }
}
