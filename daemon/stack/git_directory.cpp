#include "daemon/stack/git_directory.hpp"

#include "daemon/stack/small_file.hpp"

#include <string>
#include <string_view>

namespace tofud::stack {

namespace fs = std::filesystem;

std::optional<git_directory> git_directory_of(const fs::path& dot_git) {
  std::error_code failed;
  if (fs::is_directory(dot_git, failed)) return git_directory{dot_git, dot_git};
  const auto link = small_word(dot_git);
  constexpr std::string_view opening = "gitdir:";
  if (!link || !link->starts_with(opening)) return std::nullopt;
  std::string_view named = std::string_view{*link}.substr(opening.size());
  named.remove_prefix(std::min(named.find_first_not_of(" \t"), named.size()));
  const fs::path own = dot_git.parent_path() / fs::path{named};
  const auto common = small_word(own / "commondir");
  return git_directory{own, common ? own / *common : own};
}

fs::path top_of_work_tree(const fs::path& directory) {
  for (fs::path top = directory;; top = top.parent_path()) {
    std::error_code failed;
    if (fs::exists(top / ".git", failed)) return top;
    if (top == top.parent_path()) return {};
  }
}

}  // namespace tofud::stack
