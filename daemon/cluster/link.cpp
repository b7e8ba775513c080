#include "daemon/cluster/link.hpp"

#include "daemon/cluster/errors.hpp"

#include <algorithm>
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

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  };
  return !text.empty() && text.size() <= limits::cluster_name_bytes &&
         std::all_of(text.begin(), text.end(), fits);
}

}  // namespace tofud::cluster
