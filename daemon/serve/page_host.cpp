#include "daemon/serve/page_host.hpp"

#include <array>
#include <unistd.h>

namespace tofud::serve {

namespace asio = boost::asio;

std::string host_text(const asio::ip::address& address) {
  return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
}

std::string host_of(const asio::ip::tcp::endpoint& bound, const net::tls_context* tls) {
  if (tls != nullptr && !tls->name().empty()) return tls->name();
  const auto address = bound.address();
  if (address.is_unspecified()) {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) == 0) return name.data();
  }
  return host_text(address);
}

}  // namespace tofud::serve
