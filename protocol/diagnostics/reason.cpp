#include "protocol/diagnostics/reason.hpp"

#include "protocol/diagnostics/diagnostic.hpp"
#include "protocol/diagnostics/limits.hpp"
#include "protocol/text/characters.hpp"
#include "protocol/text/readable.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tofud::diagnostics {
namespace {

/// How the detail of a provisioner's error begins, and what stands before how its program ended.
struct shape {
  std::string_view begin, end_of_command;
  std::array<std::string_view, 2> endings;
};

constexpr std::array shapes{
    shape{"Error running command '", "': ", {"exit status ", "signal: "}},
    shape{"error executing \"", "\": ", {"Process exited ", "exit status "}},
};

/// `exit status 3` and what stands behind it, of "Error running command '…': exit status 3. …".
struct ended_program {
  std::string_view how, rest;
};

std::optional<ended_program> ended(std::string_view detail) {
  for (const shape& each : shapes) {
    if (!detail.starts_with(each.begin)) continue;
    const std::string_view searched = detail.substr(0, limits::searched_detail_bytes);
    for (const std::string_view how : each.endings) {
      const std::size_t at = searched.find(std::string{each.end_of_command}.append(how));
      if (at == std::string_view::npos) continue;
      detail.remove_prefix(at + each.end_of_command.size());
      const std::size_t end = std::min(
          detail.substr(0, limits::searched_detail_bytes).find_first_of(".\n"), detail.size());
      return ended_program{detail.substr(0, end), detail.substr(end)};
    }
  }
  return std::nullopt;
}

/// Of what was printed the last line that says something.
std::string last_line(std::string_view printed) {
  if (printed.size() > limits::printed_end_bytes)
    printed.remove_prefix(printed.size() - limits::printed_end_bytes);
  const std::string said = text::readable(printed);
  const std::string_view all = text::trim(said);
  return std::string{text::trim(all.substr(all.rfind('\n') + 1))};
}

}  // namespace

std::string reason(const feed::diagnostic_row& diagnostic) {
  const auto program = ended(diagnostic.detail);
  if (!program) return std::string{headline(diagnostic)};
  constexpr std::string_view output = ". Output: ";
  const std::string line =
      program->rest.starts_with(output) ? last_line(program->rest.substr(output.size())) : "";
  return std::string{program->how} + (line.empty() ? "" : ": " + line);
}

}  // namespace tofud::diagnostics
