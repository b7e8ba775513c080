#include "daemon/access/rules.hpp"

#include "daemon/access/errors.hpp"
#include "daemon/access/reach.hpp"

#include <algorithm>
#include <utility>

namespace tofud::access {
namespace {

constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

std::string in_lower_case(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool is_of(char c, std::string_view among) { return among.find(c) != std::string_view::npos; }

}  // namespace

text::result<http::authority> read_host(std::string_view text) {
  auto read = http::parse_authority(text);
  if (read) return std::move(*read);
  return text::failure{error::no_host, text};
}

text::result<http::origin> read_origin(std::string_view text) {
  auto read = http::parse_origin(text);
  if (read) return std::move(*read);
  return text::failure{error::no_origin, text};
}

text::result<std::string> read_header_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::string name = in_lower_case(text);
  const bool fits =
      !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char c) {
        return is_of(c, small_letters) || is_of(c, "0123456789-_");
      });
  if (!fits) return text::failure{error::no_header_name, text};
  // Those mean something to this server itself.
  for (const auto* own : {"host", "authorization", "cookie", "origin", "content-length",
                          "transfer-encoding", "connection", "upgrade"}) {
    if (name == own) return text::failure{error::header_of_another_use, text};
  }
  return {boost::system::in_place_value, std::move(name)};
}

text::result<group_stacks> read_group_stacks(std::string_view text) {
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    return text::failure{error::no_group_stacks, text};
  }
  group_stacks read{std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}};
  reach pattern;
  if (auto wrong = pattern.add_stack(read.pattern); !wrong.empty()) return wrong;
  return {boost::system::in_place_value, std::move(read)};
}

text::result<std::string> read_base_path(std::string_view text) {
  std::string path{text};
  while (path.ends_with('/')) path.pop_back();
  const bool fits = path.empty() || (path.front() == '/' && path.find("//") == std::string::npos &&
                                     std::all_of(path.begin(), path.end(), [](char c) {
                                       return is_of(c, small_letters) || (c >= 'A' && c <= 'Z') ||
                                              is_of(c, "0123456789-_.~/");
                                     }));
  // A browser takes `.` and `..` out of a path before it asks.
  const bool has_dots = (path + "/").find("/./") != std::string::npos ||
                        (path + "/").find("/../") != std::string::npos;
  if (!fits || has_dots || (path.empty() && text != "/" && !text.empty())) {
    return text::failure{error::no_base_path, text};
  }
  return {boost::system::in_place_value, std::move(path)};
}

}  // namespace tofud::access
