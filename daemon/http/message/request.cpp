#include "daemon/http/message/request.hpp"

#include "protocol/text/ascii.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>

namespace tofud::http {
namespace {}  // namespace

std::size_t request::count(std::string_view lower_name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(),
                    [&](const header& field) { return field.name == lower_name; }));
}

std::string_view request::first(std::string_view lower_name) const {
  for (const auto& field : headers) {
    if (field.name == lower_name) return field.value;
  }
  return {};
}

std::string request::joined(std::string_view lower_name) const {
  std::string all;
  for (const auto& field : headers) {
    if (field.name != lower_name) continue;
    if (!all.empty()) all += ", ";
    all += field.value;
  }
  return all;
}

bool request::lists(std::string_view lower_name, std::string_view token) const {
  const std::string all = joined(lower_name);
  std::string_view rest{all};
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    if (equal_without_case(text::trimmed(rest.substr(0, comma)), token)) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

std::optional<std::string> request::parameter(std::string_view name) const {
  std::string_view rest{query};
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto equals = std::min(pair.find('='), pair.size());
    if (text::percent_decoded(pair.substr(0, equals)) != name) continue;
    return text::percent_decoded(pair.substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

std::string_view request::host() const {
  return forwarded_host.empty() ? first("host") : std::string_view{forwarded_host};
}

bool request::is_page_visit() const {
  return first("sec-fetch-mode") == "navigate" && first("sec-fetch-dest") == "document";
}

bool request::wants_websocket() const {
  return lists("upgrade", "websocket") && lists("connection", "upgrade");
}

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> found;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const auto one = path.substr(0, path.find('/'));
    path.remove_prefix(one.size());
    found.push_back(text::percent_decoded(one).value_or("%"));
  }
  return found;
}

}  // namespace tofud::http
