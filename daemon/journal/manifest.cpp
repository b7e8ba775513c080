#include "daemon/journal/manifest.hpp"

#include "daemon/journal/errors.hpp"
#include "daemon/journal/layout.hpp"
#include "daemon/journal/limits.hpp"
#include "protocol/json/members.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

namespace tofud::journal {
namespace {

/// Paths lead nowhere else: they are joined to a directory.
bool is_below(std::string_view path) {
  return !path.empty() && path.front() != '/' &&
         ("/" + std::string{path} + "/").find("/../") == std::string::npos;
}

/// Nothing: it is none.
std::optional<std::pair<std::string, recorded>> parse_line(std::string_view line) {
  boost::json::error_code wrong;
  const auto value = boost::json::parse({line.data(), line.size()}, wrong);
  const auto* object = wrong ? nullptr : value.if_object();
  const auto* bytes = object == nullptr ? nullptr : object->if_contains("bytes");
  if (bytes == nullptr || !bytes->is_int64() || bytes->get_int64() < 0) return std::nullopt;
  std::string path = tofud::json::text_at(*object, "path");
  if (!is_below(path)) return std::nullopt;
  return std::pair{std::move(path), recorded{static_cast<std::uint64_t>(bytes->get_int64()),
                                             tofud::json::text_at(*object, "sha256")}};
}

}  // namespace

std::string text_of(const manifest& files) {
  std::string text;
  for (const auto& [path, file] : files) {
    text += "{\"path\":";
    tofud::json::append_quoted(text, path);
    text += ",\"bytes\":" + std::to_string(file.bytes) + ",\"sha256\":\"" + file.sha256 + "\"}\n";
  }
  return text;
}

text::result<manifest> read_manifest(disk& on, const std::string& path, torn_lines torn) {
  const auto text = read_file(on, path, limits::manifest_bytes);
  if (!text) return refused(path, error::unreadable, errno);
  manifest found;
  std::size_t number = 0;
  for (std::string_view rest{*text}; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    if (auto read = parse_line(line)) {
      found.insert_or_assign(read->first, std::move(read->second));
    } else if (torn == torn_lines::refused) {
      return text::failure{error::bad_manifest, path, number};
    }
  }
  return found;
}

text::failure compare(disk& on, const files::tree_reader& in, const std::string& at,
                      const std::string& name, const recorded& wanted) {
  const std::string path = inside(at, name);
  const files::descriptor file = in.open(name);
  if (!file) return refused(path, error::unopenable, errno);
  text::sha256_sum sum;
  std::vector<char> room(limits::copied_bytes);
  std::uint64_t end = 0;
  for (;;) {
    const auto n = on.pread(file.get(), {room.data(), room.size()}, end);
    if (n < 0) return refused(path, error::unreadable, errno);
    if (n == 0) break;
    sum.add({room.data(), static_cast<std::size_t>(n)});
    end += static_cast<std::uint64_t>(n);
  }
  if (end < wanted.bytes) return {error::backup_too_short, path, end, wanted.bytes};
  if (end > wanted.bytes) return {error::backup_too_long, path, end - wanted.bytes, wanted.bytes};
  if (sum.hex() != wanted.sha256) return {error::backup_differs, path, wanted.bytes};
  return {};
}

}  // namespace tofud::journal
