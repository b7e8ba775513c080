#include "daemon/serve/sender.hpp"

#include "daemon/access/principal.hpp"
#include "daemon/http/listener.hpp"

#include <boost/asio/ip/address.hpp>

#include <string>

namespace tofud::serve {
namespace {

/// A proxy may have named anything.
std::string counted_address(const std::string& text, const http::listener_options& counted_by) {
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address(text, failed);
  return failed ? "" : http::counted_as(counted_by, address);
}

}  // namespace

std::string sender_of(const http::request& asked, const http::listener_options& counted_by) {
  if (auto address = counted_address(asked.from.address, counted_by); !address.empty()) {
    return address;
  }
  if (!asked.by) return "";
  if (asked.by->how == access::principal::known_by::socket) return sender_of(asked.from);
  return access::lasting_name(*asked.by);
}

std::string sender_of(const http::peer& from) {
  if (from.is_ours) return "";
  return from.uid ? "uid " + std::to_string(*from.uid) : "an unknown user";
}

}  // namespace tofud::serve
