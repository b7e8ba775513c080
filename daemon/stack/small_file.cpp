#include "daemon/stack/small_file.hpp"

#include "daemon/stack/limits.hpp"

#include <fstream>

namespace tofud::stack {

std::optional<std::string> small_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return std::nullopt;
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  std::string text(limits::described_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::string> small_word(const std::filesystem::path& path) {
  const auto text = small_file(path);
  if (!text) return std::nullopt;
  constexpr const char* blanks = " \t\r\n";
  const std::size_t begin = text->find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return text->substr(begin, text->find_last_not_of(blanks) + 1 - begin);
}

}  // namespace tofud::stack
