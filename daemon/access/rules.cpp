#include "daemon/access/rules.hpp"

#include <algorithm>
#include <utility>

namespace tofud::access {
namespace {

constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

std::string in_quotes(std::string_view text) { return "'" + std::string{text} + "'"; }

std::string in_lower_case(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// Said in full: an aggregate could be made of a sentence as well.
template <typename Value>
boost::system::result<Value, std::string> refused(std::string why) {
  return {boost::system::in_place_error, std::move(why)};
}

bool is_of(char c, std::string_view among) { return among.find(c) != std::string_view::npos; }

}  // namespace

boost::system::result<http::authority, std::string> read_host(std::string_view text) {
  auto read = http::parse_authority(text);
  if (read) return std::move(*read);
  return refused<http::authority>(
      in_quotes(text) +
      " is no host: it is NAME or NAME:PORT as a browser sends it, such "
      "as tofud.example.com; names beyond ASCII are written as xn--…");
}

boost::system::result<http::origin, std::string> read_origin(std::string_view text) {
  auto read = http::parse_origin(text);
  if (read) return std::move(*read);
  return refused<http::origin>(
      in_quotes(text) + " is no origin: it is https://NAME or https://NAME:PORT, without a path");
}

boost::system::result<std::string, std::string> read_header_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::string name = in_lower_case(text);
  const bool fits =
      !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char c) {
        return is_of(c, small_letters) || is_of(c, "0123456789-_");
      });
  if (!fits)
    return refused<std::string>(in_quotes(text) + " is no header's name, such as X-Forwarded-User");
  // Those mean something to this server itself.
  for (const auto* own : {"host", "authorization", "cookie", "origin", "content-length",
                          "transfer-encoding", "connection", "upgrade"}) {
    if (name == own) return refused<std::string>(in_quotes(text) + " can't say who somebody is");
  }
  return {boost::system::in_place_value, std::move(name)};
}

boost::system::result<std::string, std::string> read_base_path(std::string_view text) {
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
    return refused<std::string>(
        in_quotes(text) + " is no path to serve at: it is /NAME, of letters, digits and -_.~");
  }
  return {boost::system::in_place_value, std::move(path)};
}

}  // namespace tofud::access
