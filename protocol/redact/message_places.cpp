#include "protocol/redact/message_places.hpp"

#include "protocol/ui/parse_message.hpp"

#include <algorithm>
#include <iterator>

namespace tofud::redact {
namespace {

struct entry {
  std::string_view key;
  place where;
  treatment how = treatment::mask;
  place inside = place::data;
};

using enum place;
using enum treatment;

// What is not here is masked, its key as well (protocol/ui/README.md).
constexpr entry entries[] = {
    {"@level", root, word},
    {"message_code", root, word},
    {"@message", root, message},
    {"@module", root, word},
    {"@timestamp", root, time},
    {"@testfile", root},
    {"@testrun", root},
    {"type", root, word},
    {"tofu", root},
    {"terraform", root},
    {"ui", root, major},
    {"hook", root, mask, hook},
    {"change", root, mask, change},
    {"changes", root, mask, changes},
    {"outputs", root, mask, outputs},
    {"diagnostic", root, mask, diagnostic},
    {"test_abstract", root},
    {"test_file", root, mask, test},
    {"test_run", root, mask, test},
    {"test_summary", root, mask, test},
    {"test_cleanup", root},
    {"test_interrupt", root},
    {"workspaces", root},
    // Whole states and plans, with every secret there is.
    {"state", root, cut},
    {"test_plan", root, cut},
    {"test_state", root, cut},
    {"resource", hook, mask, resource},
    {"action", hook, word},
    {"Msg", hook, ephemeral_step},
    {"provisioner", hook},
    {"output", hook, printed},
    {"id_key", hook},
    {"id_value", hook},
    {"elapsed_seconds", hook, number},
    {"resource", change, mask, resource},
    {"previous_resource", change, mask, resource},
    {"action", change, word},
    {"reason", change, word},
    // Identities and attributes of what is imported.
    {"importing", change, cut},
    {"generated_config", change, cut},
    {"addr", resource},
    {"module", resource},
    {"resource", resource, relative},
    {"implied_provider", resource},
    {"resource_type", resource},
    {"resource_name", resource},
    {"resource_key", resource},
    {"add", changes, number},
    {"change", changes, number},
    {"import", changes, number},
    {"remove", changes, number},
    {"forget", changes, number},
    {"operation", changes, word},
    {"sensitive", output},
    {"action", output, word},
    {"type", output},
    {"value", output, output_value},
    {"deprecated", output},
    {"severity", diagnostic, word},
    {"summary", diagnostic},
    {"detail", diagnostic, detail},
    {"address", diagnostic, address},
    {"range", diagnostic, mask, range},
    {"snippet", diagnostic, mask, snippet},
    // Both sides of a failed comparison, in clear.
    {"difference", diagnostic, cut},
    {"filename", range},
    {"start", range, mask, position},
    {"end", range, mask, position},
    {"line", position, number},
    {"column", position, number},
    {"byte", position, number},
    {"context", snippet},
    {"code", snippet},
    {"start_line", snippet, number},
    {"highlight_start_offset", snippet, number},
    {"highlight_end_offset", snippet, number},
    {"values", snippet, mask, snippet_value},
    {"function_call", snippet},
    {"traversal", snippet_value},
    {"statement", snippet_value},
    {"path", test},
    {"run", test},
    {"status", test, word},
    {"progress", test, word},
    {"elapsed", test, number},
    {"passed", test, number},
    {"failed", test, number},
    {"errored", test, number},
    {"skipped", test, number},
};

constexpr std::string_view words[] = {
    "tofu.ui", "terraform.ui", "trace", "debug", "info", "warn",
    "error",  // levels
    "warning", "noop", "create", "read", "update", "replace", "delete", "move", "import", "remove",
    "plan", "apply", "destroy", "pending", "pass", "fail", "skip", "starting", "running",
    "teardown", "complete", "open", "renew", "close", "tainted", "requested",
    "replace_triggered_by", "cannot_update", "unknown",
    // of Terraform's `init`, that it is done
    "output_init_success_message", "output_init_success_cli_message",
    "output_init_success_cloud_message", "output_init_success_cli_cloud_message",
    "output_init_empty_message"};

}  // namespace

member member_of(place where, std::string_view key) {
  if (where == data) return {};
  if (where == outputs) return {mask, output, false};
  for (const entry& each : entries) {
    if (each.where == where && each.key == key) return {each.how, each.inside, true};
  }
  return {};
}

bool is_word(std::string_view text) {
  constexpr std::string_view reasons[] = {"delete_because_", "read_because_", "forgot_because_"};
  // New reasons may come, and all of them are words; what has a blank or a digit in it is none.
  const bool is_reason =
      text.size() <= 64 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == text.npos &&
      std::any_of(std::begin(reasons), std::end(reasons),
                  [text](std::string_view each) { return text.starts_with(each); });
  return text.empty() || is_reason ||
         std::find(std::begin(words), std::end(words), text) != std::end(words) ||
         ui::is_known_type(text);
}

}  // namespace tofud::redact
