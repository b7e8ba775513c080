#include "daemon/notify/rule.hpp"

#include "daemon/access/reach.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/notify/errors.hpp"
#include "daemon/notify/limits.hpp"
#include "daemon/notify/signature.hpp"
#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofud::notify {
namespace {

/// The first line of a file of the rule's.
text::result<std::string> line_of(const rule& of, const std::string& path) {
  auto read = files::read_regular_file(path, limits::target_secret_bytes);
  if (!read) return text::failure{error::unreadable, of.name, read.error()};
  const std::string line{
      text::trimmed(std::string_view{*read}.substr(0, read->find('\n')), " \t\r")};
  if (line.empty()) return text::failure{error::empty_file, of.name, path};
  return {boost::system::in_place_value, line};
}

}  // namespace

std::string_view name(target where) {
  constexpr std::array<std::string_view, 6> names{"webhook", "slack", "teams",
                                                  "hcp",     "mail",  "command"};
  return names[static_cast<std::size_t>(where)];
}

bool wants(const rule& by, const report& of) {
  if (of.what == occasion::test) return true;
  if (!by.on.contains(of.what)) return false;
  const bool is_stack = by.stacks.empty() ||
                        std::any_of(by.stacks.begin(), by.stacks.end(), [&](const auto& pattern) {
                          return access::fits(pattern, of.stack);
                        });
  return is_stack &&
         std::all_of(by.labels.begin(), by.labels.end(), [&](const feed::label& wanted) {
           return std::find(of.labels.begin(), of.labels.end(), wanted) != of.labels.end();
         });
}

bool is_mail_address(std::string_view text) {
  const auto at = text.find('@');
  return at != text.npos && at > 0 && at + 1 < text.size() && text.find('@', at + 1) == text.npos &&
         text.size() <= 254 && std::all_of(text.begin(), text.end(), [](char c) {
           return c > ' ' && c < 0x7f &&
                  std::string_view{"<>,;:\"()[]\\"}.find(c) == std::string_view::npos;
         });
}

text::result<rule> ready(rule given) {
  if (!given.url_file.empty()) {
    auto url = line_of(given, given.url_file);
    if (!url) return url.error();
    if (!client::parse_web_url(*url, nullptr))
      return text::failure{error::bad_url, given.name, given.url_file};
    given.url = std::move(*url);
  }
  if (!given.secret_file.empty()) {
    auto secret = line_of(given, given.secret_file);
    if (!secret) return secret.error();
    if (given.where == target::webhook && !webhook_key(*secret))
      return text::failure{error::bad_secret, given.name, given.secret_file};
    given.secret = std::move(*secret);
  }
  return given;
}

}  // namespace tofud::notify
