#include "protocol/ui/parse_message.hpp"

#include "protocol/text/utf8.hpp"
#include "protocol/ui/resource_address.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <charconv>
#include <limits>

namespace tofud::ui {
namespace {

using json::kind;
using json::value;

// Whether some message is made of this member of the root object. Asked for every line.
bool is_kept(std::string_view key) {
  if (key.starts_with('@')) return true;
  switch (key.size()) {
    case 2:
      return key == "ui";
    case 4:
      return key == "type" || key == "hook" || key == "tofu";
    case 6:
      return key == "change";
    case 7:
      return key == "changes" || key == "outputs";
    case 8:
      return key == "test_run";
    case 9:
      return key == "terraform" || key == "test_file";
    case 10:
      return key == "diagnostic" || key == "workspaces";
    case 12:
      return key == "test_summary" || key == "test_cleanup" || key == "message_code";
    case 13:
      return key == "test_abstract";
    case 14:
      return key == "test_interrupt";
    default:
      return false;
  }
}

// Everything that is not kept (state dumps, test states, values of failing comparisons, generated
// configuration) may hold secrets and is never even stored.
json::keep policy(std::string_view top, std::size_t depth, std::string_view key) {
  using enum json::keep;
  switch (depth) {
    case 1:
      if (is_kept(key)) return tree;
      return key == "state" ? mark : skip;
    case 2:
      if (top == "diagnostic" && key == "difference") return skip;
      if (top == "change" && (key == "importing" || key == "generated_config")) return skip;
      return tree;
    default:
      if (top == "outputs" && (key == "value" || key == "type")) return raw;
      if (top == "diagnostic" && key == "function_call") return raw;
      return tree;
  }
}

json::keep policy_with_differences(std::string_view top, std::size_t depth, std::string_view key) {
  const bool is_difference = depth == 2 && top == "diagnostic" && key == "difference";
  return is_difference ? json::keep::tree : policy(top, depth, key);
}

std::string_view text_of(value member) { return member.string().value_or(std::string_view{}); }

std::optional<resource> resource_of(value object) {
  const value found = object["resource"];
  resource result;
  for (const value member : found) {
    const std::string_view key = member.key();
    if (key == "addr")
      result.addr = text_of(member);
    else if (key == "module")
      result.module = text_of(member);
    else if (key == "resource")
      result.relative = text_of(member);
    else if (key == "implied_provider")
      result.implied_provider = text_of(member);
    else if (key == "resource_type")
      result.type = text_of(member);
    else if (key == "resource_name")
      result.name = text_of(member);
    else if (key == "resource_key")
      result.key = member;
  }
  if (result.addr.empty()) return {};
  return result;
}

std::optional<hook_action> hook_action_of(value hook) {
  const std::string_view word = text_of(hook["action"]);
  if (word == "create") return hook_action::create;
  if (word == "read") return hook_action::read;
  if (word == "update") return hook_action::update;
  if (word == "delete") return hook_action::remove;
  return {};
}

// Terraform says `action`, OpenTofu a member `Msg` such as "Opening..." or "Open complete".
std::optional<ephemeral_action> ephemeral_action_of(value hook) {
  const std::string_view action = text_of(hook["action"]);
  const std::string_view said = text_of(hook["Msg"]);
  if (action == "open" || said.starts_with("Open")) return ephemeral_action::open;
  if (action == "renew" || said.starts_with("Renew")) return ephemeral_action::renew;
  if (action == "close" || said.starts_with("Clos")) return ephemeral_action::close;
  return {};
}

object_id id_of(value hook) { return {text_of(hook["id_key"]), text_of(hook["id_value"])}; }

template <typename Hook>
message apply_hook(value root) {
  const value hook = root["hook"];
  const auto what = resource_of(hook);
  const auto action = hook_action_of(hook);
  if (!what || !action) return malformed{};
  if constexpr (requires(Hook h) { h.id; }) {
    return Hook{*what, *action, id_of(hook)};
  } else {
    return Hook{*what, *action};
  }
}

template <typename Hook>
message provision_hook(value root) {
  const value hook = root["hook"];
  const auto what = resource_of(hook);
  const auto provisioner = hook["provisioner"].string();
  if (!what || !provisioner) return malformed{};
  if constexpr (requires(Hook h) { h.output; }) {
    const auto output = hook["output"].string();
    if (!output) return malformed{};
    return Hook{*what, *provisioner, *output};
  } else {
    return Hook{*what, *provisioner};
  }
}

template <typename Hook>
message refresh_hook(value root) {
  const value hook = root["hook"];
  const auto what = resource_of(hook);
  if (!what) return malformed{};
  return Hook{*what, id_of(hook)};
}

template <typename Hook>
message ephemeral_hook(value root) {
  const value hook = root["hook"];
  const auto what = resource_of(hook);
  const auto action = ephemeral_action_of(hook);
  if (!what || !action) return malformed{};
  return Hook{*what, *action};
}

message parse_version(value root) {
  return version{text_of(root["tofu"]), text_of(root["terraform"]), text_of(root["ui"])};
}

message parse_diagnostic(value root) {
  const value body = root["diagnostic"];
  const auto severity = body["severity"].string();
  const auto summary = body["summary"].string();
  if (!severity || !summary) return malformed{};
  return diagnostic{
      *severity,     *summary,        text_of(body["detail"]), text_of(body["address"]),
      body["range"], body["snippet"], body["difference"]};
}

message parse_planned_change(value root) {
  const value change = root["change"];
  const auto what = resource_of(change);
  const auto action = change["action"].string();
  if (!what || !action) return malformed{};
  return planned_change{*what, text_of(change["previous_resource"]["addr"]), *action,
                        text_of(change["reason"])};
}

message parse_resource_drift(value root) {
  const value change = root["change"];
  const auto what = resource_of(change);
  const auto action = change["action"].string();
  if (!what || !action) return malformed{};
  return resource_drift{*what, *action};
}

message parse_change_summary(value root) {
  const value changes = root["changes"];
  const std::string_view operation = text_of(changes["operation"]);
  change_summary summary;
  if (operation == "plan")
    summary.operation = summary_of::plan;
  else if (operation == "apply")
    summary.operation = summary_of::apply;
  else if (operation == "destroy")
    summary.operation = summary_of::destroy;
  else
    return malformed{};
  const auto add = changes["add"].integer(), change = changes["change"].integer(),
             remove = changes["remove"].integer();
  if (!add || !change || !remove) return malformed{};
  summary.add = *add;
  summary.change = *change;
  summary.remove = *remove;
  // Both came later than the message itself (OpenTofu 1.6 has no `forget`).
  summary.import = changes["import"].integer().value_or(0);
  summary.forget = changes["forget"].integer().value_or(0);
  return summary;
}

message parse_outputs(value root) {
  const value entries = root["outputs"];
  if (!entries.is(kind::object)) return malformed{};
  // Planned ones have an `action`; applied ones are printed even when there are none.
  outputs found{output_stage::applied, entries};
  for (const value entry : entries) {
    if (!entry.is(kind::object)) return malformed{};
    if (entry["action"]) found.stage = output_stage::planned;
  }
  return found;
}

message parse_log(value root) {
  // `state` itself is never kept; only that it was there.
  return log{root["state"] ? state_dump::yes : state_dump::no};
}

message parse_test_abstract(value root) {
  const value files = root["test_abstract"];
  if (!files.is(kind::object)) return malformed{};
  return test_abstract{files};
}

message parse_test_file(value root) {
  const value body = root["test_file"];
  const auto path = body["path"].string();
  if (!path) return malformed{};
  return test_file{*path, text_of(body["status"])};
}

message parse_test_run(value root) {
  const value body = root["test_run"];
  const auto path = body["path"].string(), run = body["run"].string();
  if (!path || !run) return malformed{};
  return test_run{*path, *run, text_of(body["status"])};
}

message parse_init_output(value root) { return init_output{text_of(root["message_code"])}; }

message parse_test_summary(value root) {
  const value body = root["test_summary"];
  const auto status = body["status"].string();
  if (!status) return malformed{};
  return test_summary{*status, body["passed"].integer().value_or(0),
                      body["failed"].integer().value_or(0), body["errored"].integer().value_or(0),
                      body["skipped"].integer().value_or(0)};
}

template <typename Message>
message plain(value) {
  return Message{};
}

constexpr char test_interrupt_names[] = "test_interrupt";
constexpr char test_cleanup_names[] = "test_cleanup";
constexpr char workspace_list_names[] = "workspaces";

template <typename Message, const char* Member>
message naming(value root) {
  return Message{root[Member]};
}

using parse_function = message (*)(value root);

// Every `type` there is, and who reads it (README.md, Types).
const boost::unordered_flat_map<std::string_view, parse_function>& types() {
  static const boost::unordered_flat_map<std::string_view, parse_function> table{
      {"version", parse_version},
      {"log", parse_log},
      {"diagnostic", parse_diagnostic},
      {"planned_change", parse_planned_change},
      {"resource_drift", parse_resource_drift},
      {"change_summary", parse_change_summary},
      {"outputs", parse_outputs},
      {"apply_start", apply_hook<apply_start>},
      {"apply_progress", apply_hook<apply_progress>},
      {"apply_complete", apply_hook<apply_complete>},
      {"apply_errored", apply_hook<apply_errored>},
      {"provision_start", provision_hook<provision_start>},
      {"provision_progress", provision_hook<provision_progress>},
      {"provision_complete", provision_hook<provision_complete>},
      {"provision_errored", provision_hook<provision_errored>},
      {"refresh_start", refresh_hook<refresh_start>},
      {"refresh_complete", refresh_hook<refresh_complete>},
      {"ephemeral_action_started", ephemeral_hook<ephemeral_start>},
      {"ephemeral_action_complete", ephemeral_hook<ephemeral_complete>},
      {"ephemeral_op_start", ephemeral_hook<ephemeral_start>},
      {"ephemeral_op_progress", ephemeral_hook<ephemeral_progress>},
      {"ephemeral_op_complete", ephemeral_hook<ephemeral_complete>},
      {"ephemeral_op_errored", ephemeral_hook<ephemeral_errored>},
      {"test_abstract", parse_test_abstract},
      {"test_file", parse_test_file},
      {"test_run", parse_test_run},
      {"test_summary", parse_test_summary},
      {"test_plan", plain<test_document>},
      {"test_state", plain<test_document>},
      {"test_interrupt", naming<test_interrupt, test_interrupt_names>},
      {"test_cleanup", naming<notice, test_cleanup_names>},
      {"action_progress", plain<action_output>},
      {"action_errored", plain<action_errored>},
      {"state_lock_acquire", plain<notice>},
      {"state_lock_release", plain<notice>},
      {"resource_address", plain<notice>},
      {"replace_provider", plain<notice>},
      {"workspace_list", naming<notice, workspace_list_names>},
      {"output", plain<notice>},
      {"init_output", parse_init_output},
  };
  return table;
}

message parse_body(std::string_view type, value root) {
  if (type.empty()) return untyped{};
  const auto found = types().find(type);
  return found == types().end() ? message{unknown{}} : found->second(root);
}

}  // namespace

bool is_known_type(std::string_view type) { return types().contains(type); }

std::optional<int> major(std::string_view ui) {
  int number = 0;
  const auto [stop, ec] = std::from_chars(ui.data(), ui.data() + ui.size(), number);
  if (ec == std::errc::invalid_argument || (stop != ui.data() + ui.size() && *stop != '.'))
    return {};
  return ec == std::errc::result_out_of_range ? std::numeric_limits<int>::max() : number;
}

message_parser::message_parser(differences of_diagnostics)
    : parser_{of_diagnostics == differences::keep ? policy_with_differences : policy} {}

std::optional<json::parse_error> message_parser::parse_repaired(std::string_view line) {
  const auto error = parser_.parse(line);
  if (error != json::parse_error::syntax || text::valid_utf8(line)) return error;
  sanitized_ = text::replace_invalid_utf8(line);
  return parser_.parse(sanitized_);
}

message_parser::line_kind message_parser::parse_object(std::string_view line) {
  if (line.find_first_not_of(" \t") != line.find('{')) return line_kind::no_object;
  const auto error = parse_repaired(line);
  const value root = parser_.root();
  if (error == json::parse_error::syntax || !root) return line_kind::no_object;
  envelope head;
  std::string_view module;
  for (const value member : root) {
    const std::string_view key = member.key();
    if (key == "@level")
      head.level = text_of(member);
    else if (key == "@message")
      head.text = text_of(member);
    else if (key == "@module")
      module = text_of(member);
    else if (key == "@timestamp")
      head.at = parse_timestamp(text_of(member));
    else if (key == "@testfile")
      head.test_file = text_of(member);
    else if (key == "@testrun")
      head.test_run = text_of(member);
    else if (key == "type")
      head.type = text_of(member);
  }
  if (module != "tofu.ui" && module != "terraform.ui") return line_kind::other_object;
  parsed_.head = head;
  parsed_.incomplete = error.has_value();
  // Too deep or too much: what was read before is shown, the rest is gone.
  parsed_.body = error ? message{malformed{}} : parse_body(head.type, root);
  return line_kind::ui_message;
}

bool message_parser::is_whole_object(std::string_view line) {
  return line.find('{') != std::string_view::npos && !parse_repaired(line) &&
         parser_.root().is(kind::object);
}

const parsed_line& message_parser::parse(std::string_view line) {
  parsed_.text.reset();
  parsed_.head.reset();
  parsed_.incomplete = false;
  const line_kind found = parse_object(line);
  if (found == line_kind::ui_message) return parsed_;
  if (found == line_kind::no_object) {
    const std::size_t behind = line.rfind("{\"@level\":");
    if (behind != std::string_view::npos && behind > 0 &&
        parse_object(line.substr(behind)) == line_kind::ui_message) {
      parsed_.text = line.substr(0, behind);
      return parsed_;
    }
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  parsed_.text = line;
  return parsed_;
}

}  // namespace tofud::ui
