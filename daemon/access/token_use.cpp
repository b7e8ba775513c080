#include "daemon/access/token_use.hpp"

#include "daemon/access/limits.hpp"
#include "daemon/files/private_file.hpp"
#include "daemon/files/regular_file.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::access {

std::string use_file_of(const std::string& token_file) { return token_file + ".used"; }

token_uses read_token_uses(const std::string& path) {
  token_uses uses;
  const auto text = files::read_regular_file(path, limits::token_file_bytes);
  if (!text) return uses;
  for (std::string_view rest{*text}; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    if (const auto at = ui::parse_timestamp(line.substr(blank + 1)))
      uses[std::string{line.substr(0, blank)}] = std::chrono::floor<std::chrono::seconds>(*at);
  }
  return uses;
}

bool write_token_uses(const std::string& path, const token_uses& uses) {
  std::string text;
  for (const auto& [id, at] : uses) text += id + " " + to_text(at) + "\n";
  return files::write_private(path, text).empty();
}

}  // namespace tofud::access
