#include "daemon/stack/process.hpp"

#include "daemon/stack/limits.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace tofud::stack {

// Not small_file: what /proc holds has no size.
std::vector<std::string> words_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string text(limits::described_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  std::vector<std::string> words;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\0'), left.size());
    words.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return words;
}

}  // namespace tofud::stack
