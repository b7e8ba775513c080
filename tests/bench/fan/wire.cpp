#include "tests/bench/fan/wire.hpp"

#include "tests/bench/fan/adapter.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

int tcp_connect(int port, bool quiet) {
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

string ws_frame(int op, const string& p) {
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
}

string upgrade_req(int port, const string& path, const string& proto, const string& hdr, bool sse) {
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
