#include "daemon/net/listener_owner.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace tofud::net {
namespace {

using boost::asio::ip::tcp;

constexpr unsigned listening = 0x0A;  // TCP_LISTEN

// As /proc prints an address: words of 32 bits in host order, in hex.
std::string hex_of(const boost::asio::ip::address& address) {
  std::array<std::uint32_t, 4> words{};
  std::size_t count = 1;
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    std::memcpy(words.data(), bytes.data(), bytes.size());
  } else {
    const auto bytes = address.to_v6().to_bytes();
    std::memcpy(words.data(), bytes.data(), bytes.size());
    count = 4;
  }
  std::string text;
  std::array<char, 16> hex{};
  for (std::size_t i = 0; i < count; ++i) {
    std::snprintf(hex.data(), hex.size(), "%08X", words[i]);
    text += hex.data();
  }
  return text;
}

// `found` is of the address itself, `any` of one that stands for all.
void search(const char* path, const std::string& wanted, unsigned port, std::optional<uid_t>& found,
            std::optional<uid_t>& any) {
  std::ifstream table{path};
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::array<char, 40> address{};
    unsigned its_port = 0, state = 0, uid = 0;
    // sl local_address:port remote_address:port st tx:rx tr:tm retrnsmt uid
    if (std::sscanf(line.c_str(), " %*d: %39[0-9A-F]:%x %*[0-9A-F]:%*x %x %*x:%*x %*x:%*x %*x %u",
                    address.data(), &its_port, &state, &uid) != 4) {
      continue;
    }
    if (state != listening || its_port != port) continue;
    const std::string text{address.data()};
    if (text == wanted) found = uid;
    if (text.find_first_not_of('0') == std::string::npos) any = uid;
  }
}

}  // namespace

std::optional<uid_t> owner_of_listener(const tcp::endpoint& at) {
  std::optional<uid_t> found, any;
  const std::string wanted = hex_of(at.address());
  if (at.address().is_v4()) search("/proc/self/net/tcp", wanted, at.port(), found, any);
  const std::string mapped = at.address().is_v4() ? "0000000000000000FFFF0000" + wanted : wanted;
  if (!found) search("/proc/self/net/tcp6", mapped, at.port(), found, any);
  return found ? found : any;
}

std::string distrust_of_listener(const tcp::endpoint& at) {
  if (!at.address().is_loopback()) return "";
  const auto owner = owner_of_listener(at);
  constexpr uid_t first_person = 1000, last_person = 60'000, nobody = 65'534;
  const bool is_person =
      owner && ((*owner >= first_person && *owner <= last_person) || *owner == nobody);
  if (!is_person || *owner == ::geteuid()) return "";
  return "port " + std::to_string(at.port()) + " of this machine belongs to the user " +
         std::to_string(*owner) +
         ", who is neither you nor a service user; reach their daemon by its Unix socket or by "
         "https://";
}

}  // namespace tofud::net
