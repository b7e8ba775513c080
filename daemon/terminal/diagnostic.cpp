#include "daemon/terminal/diagnostic.hpp"

#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <array>

namespace tofud::terminal {
namespace {

std::string cleaned(std::string_view text) { return sanitize(text, colours::strip); }

// OpenTofu and Terraform say this under -json to `apply` and `destroy`.
constexpr std::string_view no_approval = "Plan file or auto-approve required";
constexpr std::array<std::string_view, 4> ways_to_approve = {
    "tofud: with -json OpenTofu can't prompt for approval, so the command has to contain it:",
    "  tofu apply -json -auto-approve | tofud                        without a prompt",
    "  tofu plan -out=PLAN && tofu apply -json PLAN | tofud          a plan that you have reviewed",
    "  tofud run -- tofu apply                                       OpenTofu prompts, tofud "
    "watches"};

}  // namespace

std::vector<std::string> diagnostic_lines(const feed::diagnostic_row& diagnostic,
                                          text::ink::colours colours) {
  diagnostics::diagnostic_drawing wanted;
  wanted.colours = colours;
  wanted.filter = cleaned;
  wanted.long_lines = diagnostics::long_lines::shorten;
  const std::string drawn = diagnostics::draw(diagnostic, wanted);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < drawn.size();) {
    const std::size_t end = std::min(drawn.find('\n', begin), drawn.size());
    lines.push_back(drawn.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string diagnostic_in_short(const feed::diagnostic_row& diagnostic) {
  std::string text = diagnostic.severity == "error" ? "Error: " : "Warning: ";
  text += one_line(diagnostics::headline(diagnostic));
  if (!diagnostic.address.empty()) text += ", with " + one_line(diagnostic.address);
  if (diagnostic.range) {
    text += ", on " + one_line(diagnostic.range->filename) + " line " +
            std::to_string(diagnostic.range->start.line);
  }
  return text;
}

std::span<const std::string_view> advice(const feed::diagnostic_row& diagnostic) {
  if (diagnostic.summary == no_approval) return ways_to_approve;
  return {};
}

}  // namespace tofud::terminal
