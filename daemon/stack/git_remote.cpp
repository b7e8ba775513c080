#include "daemon/stack/git_remote.hpp"

#include "daemon/stack/git_directory.hpp"
#include "daemon/stack/small_file.hpp"
#include "protocol/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace tofud::stack {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::array default_ports = {std::pair{"https"sv, ":443"sv}, std::pair{"http"sv, ":80"sv},
                                      std::pair{"ssh"sv, ":22"sv}, std::pair{"git"sv, ":9418"sv}};

/// `[remote "origin"]` → origin; empty for other sections.
std::string remote_section(std::string_view line) {
  constexpr std::string_view opening = "[remote \"";
  if (!line.starts_with(opening)) return "";
  return std::string{line.substr(opening.size(), line.rfind('"') - opening.size())};
}

}  // namespace

std::string remote_name(std::string_view url) {
  url = text::trimmed(url, " \t\r\n");
  std::string_view port;
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    for (const auto& [name, number] : default_ports) {
      if (url.substr(0, scheme) == name) port = number;
    }
    url.remove_prefix(scheme + 3);
  }
  // A query or fragment names no repository, and may hold a token.
  url = url.substr(0, url.find_first_of("?#"));
  std::size_t slash = url.find('/');
  // user:password@host; behind the first slash an @ is part of the path.
  const std::size_t at = url.substr(0, slash).rfind('@');
  if (at != std::string_view::npos) url.remove_prefix(at + 1);
  slash = url.find('/');
  std::string host;
  std::string_view path;
  const std::size_t colon = url.find(':');
  if (scheme == std::string_view::npos && colon < slash) {  // host:path, as ssh's scp writes it
    host = text::lower(url.substr(0, colon));
    path = url.substr(colon + 1);
    if (path.starts_with('/')) path.remove_prefix(1);
  } else {
    host = text::lower(url.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view{} : url.substr(slash + 1);
    if (!port.empty() && std::string_view{host}.ends_with(port))
      host.resize(host.size() - port.size());
  }
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.empty() ? host : host + "/" + std::string{path};
}

std::string remote_url(std::string_view config) {
  std::map<std::string, std::string> urls;
  std::string remote;
  while (!config.empty()) {
    const std::size_t end = std::min(config.find('\n'), config.size());
    const std::string_view line = text::trimmed(config.substr(0, end), " \t\r\n");
    config.remove_prefix(std::min(end + 1, config.size()));
    if (line.starts_with('[')) {
      remote = remote_section(line);
    } else if (const std::size_t equals = line.find('=');
               !remote.empty() && equals != std::string_view::npos &&
               text::lower(text::trimmed(line.substr(0, equals), " \t\r\n")) == "url") {
      std::string_view url = text::trimmed(line.substr(equals + 1), " \t\r\n");
      if (url.size() > 1 && url.front() == '"' && url.back() == '"')
        url = url.substr(1, url.size() - 2);
      urls.try_emplace(remote, url);
    }
  }
  const auto origin = urls.find("origin");
  if (origin != urls.end()) return origin->second;
  return urls.empty() ? "" : urls.begin()->second;
}

std::optional<repository> repository_of(const fs::path& directory) {
  const fs::path top = top_of_work_tree(directory);
  if (top.empty()) return std::nullopt;
  const auto git = git_directory_of(top / ".git");
  const auto config = git ? small_file(git->common / "config") : std::nullopt;
  return repository{top, config ? remote_name(remote_url(*config)) : ""};
}

}  // namespace tofud::stack
