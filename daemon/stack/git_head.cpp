#include "daemon/stack/git_head.hpp"

#include "daemon/stack/git_directory.hpp"
#include "daemon/stack/small_file.hpp"

#include <algorithm>
#include <string_view>

namespace tofud::stack {
namespace {

// Of SHA-1 or SHA-256.
bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

// "ID REF" lines; comments begin with #, what a tag leads to with ^.
std::optional<std::string> packed(std::string_view refs, std::string_view wanted) {
  while (!refs.empty()) {
    const std::size_t end = std::min(refs.find('\n'), refs.size());
    const std::string_view line = refs.substr(0, end);
    refs.remove_prefix(std::min(end + 1, refs.size()));
    const std::size_t blank = line.find(' ');
    if (blank == line.npos || line.substr(blank + 1) != wanted) continue;
    if (is_commit(line.substr(0, blank))) return std::string{line.substr(0, blank)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> head_commit(const std::filesystem::path& directory) {
  const auto top = top_of_work_tree(directory);
  const auto git = top.empty() ? std::nullopt : git_directory_of(top / ".git");
  if (!git) return std::nullopt;
  constexpr std::string_view opening = "ref: ";
  constexpr int links = 5;  // git itself follows as many symbolic refs
  auto at = small_word(git->own / "HEAD");
  for (int link = 0; at && link < links; ++link) {
    if (is_commit(*at)) return at;
    if (!at->starts_with(opening)) return std::nullopt;
    const std::string ref = at->substr(opening.size());
    // A name of git's, never a way out of its directory.
    if (!ref.starts_with("refs/") || ref.find("..") != ref.npos) return std::nullopt;
    at = small_word(git->own / ref);
    if (!at) at = small_word(git->common / ref);
    if (!at) {
      const auto refs = small_file(git->common / "packed-refs");
      return refs ? packed(*refs, ref) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace tofud::stack
