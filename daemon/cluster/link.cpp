#include "daemon/cluster/link.hpp"

#include "daemon/cluster/errors.hpp"

#include <string_view>

namespace tofud::cluster {

text::failure check_server(const std::string& url) {
  std::string_view rest = url;
  for (const std::string_view scheme : {"nats://", "tls://"}) {
    if (!rest.starts_with(scheme)) continue;
    rest.remove_prefix(scheme.size());
    const bool is_place = !rest.empty() && rest.size() < url.size() &&
                          rest.find_first_of("/@?# \t\r\n\"\\,") == std::string_view::npos;
    if (is_place) return {};
  }
  // What stands before an @ may be a password.
  const auto at = url.rfind('@');
  return text::failure{error::bad_server, at == std::string::npos ? url : "…" + url.substr(at)};
}

}  // namespace tofud::cluster
