#include "protocol/feed/row.hpp"

#include <array>

namespace tofud::feed {
namespace {

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& words, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return {};
}

// In the order of the enumerators.
constexpr std::array<std::string_view, row_kinds> kind_words{
    "run",     "forecast",  "stack",    "resource", "diagnostic", "output",
    "message", "test_file", "test_run", "log",      "text"};
constexpr std::array<std::string_view, 8> action_words{"refresh", "read", "create", "update",
                                                       "delete",  "open", "renew",  "close"};
constexpr std::array<std::string_view, 4> step_words{"running", "done", "failed", "interrupted"};
constexpr std::array<std::string_view, run_phases> phase_words{"plan", "apply", "approval"};
constexpr std::array<std::string_view, resource_statuses> resource_words{
    "planned", "running", "done", "failed", "interrupted", "skipped", "drifted", "unchanged"};
constexpr std::array<std::string_view, run_statuses> run_words{
    "running", "succeeded", "failed", "interrupted", "lost", "unknown"};
constexpr std::array<std::string_view, run_commands> command_words{
    "other", "plan", "apply", "destroy", "refresh", "test", "init", "import"};
constexpr std::array<std::string_view, 3> contact_words{"ok", "none", "lost"};
constexpr std::array<std::string_view, attachments> attachment_words{"plan", "schemas", "config"};

}  // namespace

std::string_view name(row_kind kind) { return kind_words[static_cast<std::size_t>(kind)]; }
std::string_view name(step_action action) { return action_words[static_cast<std::size_t>(action)]; }
std::string_view name(step_status status) { return step_words[static_cast<std::size_t>(status)]; }
std::string_view name(run_phase phase) { return phase_words[static_cast<std::size_t>(phase)]; }
std::string_view name(resource_status status) {
  return resource_words[static_cast<std::size_t>(status)];
}
std::string_view name(run_status status) { return run_words[static_cast<std::size_t>(status)]; }
std::string_view name(run_command command) {
  return command_words[static_cast<std::size_t>(command)];
}
std::string_view name(run_contact contact) {
  return contact_words[static_cast<std::size_t>(contact)];
}

std::string_view name(attachment part) { return attachment_words[static_cast<std::size_t>(part)]; }

std::optional<attachment> parse_attachment(std::string_view word) {
  return find<attachment>(attachment_words, word);
}
std::optional<row_kind> parse_row_kind(std::string_view word) {
  return find<row_kind>(kind_words, word);
}
std::optional<run_command> parse_run_command(std::string_view word) {
  return find<run_command>(command_words, word);
}
std::optional<run_status> parse_run_status(std::string_view word) {
  return find<run_status>(run_words, word);
}

std::optional<label> parse_label(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) return {};
  return label{std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1)}};
}

std::string progress_text(const run_view& run) {
  if (run.progress.total == 0) return {};
  const std::string total = std::to_string(run.progress.total);
  if (run.command == run_command::plan) return total + " planned";
  return std::to_string(run.progress.done) + "/" + total;
}

}  // namespace tofud::feed
