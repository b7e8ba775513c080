#include "protocol/diagnostics/reason.hpp"

#include "protocol/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace tofud::diagnostics {
namespace {

/// `exit status 3` and what stands behind it, of "Error running command '…': exit status 3. …".
struct ended_command {
  std::string_view how, rest;
};

std::optional<ended_command> ended(std::string_view detail) {
  if (!detail.starts_with("Error running command '")) return std::nullopt;
  for (const std::string_view how : {"exit status ", "signal: "}) {
    const std::string said = "': " + std::string{how};
    const std::size_t at = detail.find(said);
    if (at == std::string_view::npos) continue;
    detail.remove_prefix(at + 3);
    const std::size_t end = std::min(detail.find_first_of(".\n"), detail.size());
    return ended_command{detail.substr(0, end), detail.substr(end)};
  }
  return std::nullopt;
}

/// Without control sequences of terminals and other control characters.
std::string bare(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte == 0x1b && i + 1 < line.size() && line[i + 1] == '[') {
      i = std::min(line.find_first_not_of("0123456789;:?<=>", i + 2), line.size());
    } else if (byte >= 0x20 && byte != 0x7f) {
      out.push_back(line[i]);
    }
  }
  const std::size_t begin = std::min(out.find_first_not_of(' '), out.size());
  return out.substr(begin, out.find_last_not_of(' ') + 1 - begin);
}

std::string last_line(std::string_view printed) {
  while (!printed.empty()) {
    const std::size_t newline = printed.rfind('\n');
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (std::string line = bare(printed.substr(begin)); !line.empty()) return line;
    if (begin == 0) break;
    printed = printed.substr(0, newline);
  }
  return "";
}

}  // namespace

std::string reason(const feed::diagnostic_row& diagnostic) {
  const auto command = ended(diagnostic.detail);
  if (!command) return std::string{headline(diagnostic)};
  constexpr std::string_view output = "Output: ";
  const std::size_t at = command->rest.find(output);
  const std::string line =
      at == std::string_view::npos ? "" : last_line(command->rest.substr(at + output.size()));
  return std::string{command->how} + (line.empty() ? "" : ": " + line);
}

}  // namespace tofud::diagnostics
