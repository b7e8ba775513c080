// The name of this machine in the addresses of pages.
#pragma once

#include "daemon/net/tls_context.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>

namespace tofud::serve {

/// As it stands in URLs.
std::string host_text(const boost::asio::ip::address& address);

/// Where pages are, as others are told: by the name that the certificate is for, if there is one.
/// `tls` may be null.
std::string host_of(const boost::asio::ip::tcp::endpoint& bound, const net::tls_context* tls);

}  // namespace tofud::serve
