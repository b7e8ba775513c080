#include "daemon/archive/place.hpp"

#include "daemon/archive/bucket_place.hpp"
#include "daemon/archive/directory_place.hpp"
#include "daemon/archive/errors.hpp"
#include "daemon/archive/limits.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <utility>

namespace tofud::archive {
namespace {

constexpr std::string_view bucket_scheme = "s3://";

bool is_letter_or_digit(char c) {
  return (text::lower(c) >= 'a' && text::lower(c) <= 'z') || (c >= '0' && c <= '9');
}
bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Amazon S3, "General purpose bucket naming rules".
bool is_bucket_name(std::string_view name) {
  return name.size() >= 3 && name.size() <= 63 && is_lower_or_digit(name.front()) &&
         is_lower_or_digit(name.back()) && name.find("..") == name.npos &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_lower_or_digit(c) || c == '.' || c == '-'; });
}

/// What needs no escaping in a URL, so that nobody signs other bytes than are sent.
bool is_prefix(std::string_view text) {
  return text.size() <= limits::bucket_prefix_bytes &&
         ("/" + std::string{text} + "/").find("//") == std::string::npos &&
         ("/" + std::string{text} + "/").find("/../") == std::string::npos &&
         ("/" + std::string{text} + "/").find("/./") == std::string::npos &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-' || c == '/';
         });
}

bool is_host(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
  });
}

}  // namespace

content content_of(std::string text) {
  content made;
  made.bytes = text.size();
  made.sha256 = text::sha256_hex(text);
  made.read = [text = std::move(text)](std::uint64_t at, std::span<char> room) -> std::size_t {
    if (at >= text.size()) return 0;
    return text.copy(room.data(), room.size(), at);
  };
  return made;
}

bool is_bucket(std::string_view to) { return to.starts_with(bucket_scheme); }

text::result<bucket_name> parse_bucket(std::string_view text) {
  if (!is_bucket(text)) return text::failure{error::no_place, text};
  const std::string_view rest = text.substr(bucket_scheme.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  std::string_view prefix = rest.substr(std::min(slash + 1, rest.size()));
  if (prefix.size() > 1 && prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!is_bucket_name(rest.substr(0, slash)) || (!prefix.empty() && !is_prefix(prefix)))
    return text::failure{error::no_place, text};
  return bucket_name{std::string{rest.substr(0, slash)}, std::string{prefix}};
}

text::failure check_place(std::string_view to) {
  if (to.starts_with('/')) return {};
  const auto read = parse_bucket(to);
  return read ? text::failure{} : read.error();
}

text::failure check_endpoint(std::string_view text) {
  constexpr std::string_view plain = "http://", secure = "https://";
  std::string_view rest = text;
  const bool is_plain = text.starts_with(plain);
  if (!is_plain && !text.starts_with(secure)) return {error::bad_endpoint, text};
  rest.remove_prefix((is_plain ? plain : secure).size());
  const bool is_here = rest.starts_with("127.0.0.1:") || rest == "127.0.0.1" ||
                       rest.starts_with("[::1]:") || rest == "[::1]" ||
                       rest.starts_with("localhost:") || rest == "localhost";
  if (!is_host(rest) || (is_plain && !is_here)) return {error::bad_endpoint, text};
  return {};
}

text::result<std::unique_ptr<place>> open_place(const address& at, journal::disk& on) {
  if (is_bucket(at.to)) return open_bucket(at);
  if (auto wrong = check_place(at.to); !wrong.empty()) return wrong;
  return std::unique_ptr<place>{std::make_unique<directory_place>(on, at.to)};
}

std::string about_text() {
  return "{\"what\":\"ended runs of tofud\",\"version\":1,\"runs\":\"runs/ID/, as a daemon stores "
         "them; one is whole when it has its manifest.jsonl\"}\n";
}

}  // namespace tofud::archive
