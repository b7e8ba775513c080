#include "daemon/http/peer_uid.hpp"

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tofud::http {
namespace {

using endpoint = boost::asio::ip::tcp::endpoint;

struct owner {
  uid_t uid = 0;
  std::uint64_t inode = 0;
};

/// Orphans (a peer that closed) show as root's, without an inode: nobody is there any more.
std::optional<uid_t> living(const owner& found) {
  if (found.inode == 0) return std::nullopt;
  return found.uid;
}

void put_address(__be32 (&out)[4], const endpoint& from) {
  if (from.address().is_v4()) {
    const auto bytes = from.address().to_v4().to_bytes();
    std::memcpy(out, bytes.data(), bytes.size());
  } else {
    const auto bytes = from.address().to_v6().to_bytes();
    std::memcpy(out, bytes.data(), bytes.size());
  }
}

struct question {
  nlmsghdr head;
  inet_diag_req_v2 body;
};

enum class answered { yes, no, unavailable };

answered ask(int netlink, unsigned number, const endpoint& peer, const endpoint& here,
             owner& found) {
  question q{};
  q.head.nlmsg_len = sizeof q;
  q.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  q.head.nlmsg_flags = NLM_F_REQUEST;
  q.head.nlmsg_seq = number;
  q.body.sdiag_family = peer.address().is_v4() ? AF_INET : AF_INET6;
  q.body.sdiag_protocol = IPPROTO_TCP;
  q.body.idiag_states = ~0U;
  // Seen from the peer's socket: it is the source, we are the destination.
  q.body.id.idiag_sport = htons(peer.port());
  q.body.id.idiag_dport = htons(here.port());
  put_address(q.body.id.idiag_src, peer);
  put_address(q.body.id.idiag_dst, here);
  q.body.id.idiag_cookie[0] = q.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (::send(netlink, &q, sizeof q, 0) != static_cast<ssize_t>(sizeof q))
    return answered::unavailable;

  alignas(nlmsghdr) std::array<char, 8192> buffer;
  for (int tries = 0; tries < 16; ++tries) {
    // The kernel has answered before `send` returns; waiting is for a bug only.
    const auto size = ::recv(netlink, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < static_cast<ssize_t>(sizeof(nlmsghdr))) return answered::unavailable;
    nlmsghdr head;
    std::memcpy(&head, buffer.data(), sizeof head);
    if (head.nlmsg_seq != number) continue;  // late answer to an older question
    if (head.nlmsg_type == NLMSG_ERROR) {
      nlmsgerr failure{};
      if (size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof failure)) return answered::unavailable;
      std::memcpy(&failure, buffer.data() + NLMSG_HDRLEN, sizeof failure);
      return failure.error == -ENOENT ? answered::no : answered::unavailable;
    }
    inet_diag_msg answer;
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
        size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof answer)) {
      return answered::unavailable;
    }
    std::memcpy(&answer, buffer.data() + NLMSG_HDRLEN, sizeof answer);
    if (answer.id.idiag_sport != q.body.id.idiag_sport ||
        answer.id.idiag_dport != q.body.id.idiag_dport) {
      return answered::no;
    }
    found = {answer.idiag_uid, answer.idiag_inode};
    return answered::yes;
  }
  return answered::unavailable;
}

/// As /proc prints an endpoint: the address as 32 bit words in host order, in hex, `:`, the port.
std::string proc_text(const endpoint& from, bool as_v6) {
  std::array<std::uint32_t, 4> words{};
  std::size_t count = 1;
  if (as_v6) {
    using boost::asio::ip::make_address_v6;
    using boost::asio::ip::v4_mapped;
    const auto bytes = from.address().is_v4()
                           ? make_address_v6(v4_mapped, from.address().to_v4()).to_bytes()
                           : from.address().to_v6().to_bytes();
    std::memcpy(words.data(), bytes.data(), bytes.size());
    count = 4;
  } else {
    const auto bytes = from.address().to_v4().to_bytes();
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  std::string text;
  std::array<char, 16> hex{};
  for (std::size_t i = 0; i < count; ++i) {
    std::snprintf(hex.data(), hex.size(), "%08" PRIX32, words[i]);
    text += hex.data();
  }
  std::snprintf(hex.data(), hex.size(), ":%04X", from.port());
  return text + hex.data();
}

/// `found` is not set when no line fits.
void search(const char* path, bool as_v6, const endpoint& peer, const endpoint& here,
            std::optional<owner>& found) {
  std::ifstream table{path};
  const std::string wanted = " " + proc_text(peer, as_v6) + " " + proc_text(here, as_v6) + " ";
  std::string line;
  while (std::getline(table, line)) {
    const auto at = line.find(wanted);
    if (at == std::string::npos) continue;
    // st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode
    unsigned uid = 0;
    std::uint64_t inode = 0;
    if (std::sscanf(line.c_str() + at + wanted.size(), "%*x %*x:%*x %*x:%*x %*x %u %*u %" SCNu64,
                    &uid, &inode) == 2) {
      found = owner{uid, inode};
      return;
    }
  }
}

}  // namespace

peer_lookup::peer_lookup()
    : netlink_{::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)} {}

peer_lookup::~peer_lookup() {
  if (netlink_ >= 0) ::close(netlink_);
}

std::optional<uid_t> peer_lookup::find(const endpoint& peer, const endpoint& here) {
  if (netlink_ >= 0) {
    owner found;
    const auto answer = ask(netlink_, ++asked_, peer, here, found);
    if (answer == answered::yes) return living(found);
    if (answer == answered::no) return std::nullopt;
  }
  return detail::find_in_proc(peer, here);
}

namespace detail {

std::optional<uid_t> find_in_proc(const endpoint& peer, const endpoint& here) {
  std::optional<owner> found;
  if (peer.address().is_v4()) search("/proc/net/tcp", false, peer, here, found);
  // A socket of family IPv6 may be connected to an IPv4 address, too.
  if (!found) search("/proc/net/tcp6", true, peer, here, found);
  if (!found) return std::nullopt;
  return living(*found);
}

}  // namespace detail
}  // namespace tofud::http
