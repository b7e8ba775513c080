// What OpenTofu and Terraform print under `-json`, one struct per kind of message, documented or
// not. README.md beside this file has the facts and their sources. All text is views into the
// parsed line or its parser: valid until the next line is parsed.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/ui/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace tofud::ui {

/// The members every message has. `type` is empty for untyped lines, `test_file` and `test_run` are
/// empty outside `tofu test`.
struct envelope {
  std::string_view level, text, type, test_file, test_run;
  std::optional<time_point> at;  // nothing: no `@timestamp`, or one that is no time
};

/// The `resource` object of hooks and changes. `key` is JSON: null, a number or a string.
struct resource {
  std::string_view addr, module, relative, implied_provider, type, name;
  json::value key;
};

struct object_id {
  std::string_view key, value;  // empty: not printed
};

enum class hook_action : std::uint8_t { create, read, update, remove };
enum class ephemeral_action : std::uint8_t { open, renew, close };

struct version {
  std::string_view tofu, terraform, ui;
};
/// The first number of `ui`, or nothing if it is no version.
std::optional<int> major(std::string_view ui);

enum class state_dump : bool { no, yes };
struct log {
  state_dump state = state_dump::no;
};
/// `difference` holds raw values; it is there only for who asks the parser to keep it.
struct diagnostic {
  std::string_view severity, summary, detail, address;
  json::value range, snippet, difference;
};
struct planned_change {
  ui::resource resource;
  std::string_view previous_addr, action, reason;
};
struct resource_drift {
  ui::resource resource;
  std::string_view action;
};
enum class summary_of : std::uint8_t { plan, apply, destroy };
struct change_summary {
  summary_of operation = summary_of::plan;
  std::int64_t add = 0, change = 0, import = 0, remove = 0, forget = 0;
};
/// `entries` is an object: name to {sensitive, action} (planned) or {sensitive, type, value}
/// (applied). `type` and `value` are raw JSON texts.
enum class output_stage : std::uint8_t { planned, applied };
struct outputs {
  output_stage stage = output_stage::applied;
  json::value entries;
};

struct apply_start {
  ui::resource resource;
  hook_action action;
  object_id id;
};
struct apply_progress {
  ui::resource resource;
  hook_action action;
};
struct apply_complete {
  ui::resource resource;
  hook_action action;
  object_id id;
};
struct apply_errored {
  ui::resource resource;
  hook_action action;
};
struct provision_start {
  ui::resource resource;
  std::string_view provisioner;
};
struct provision_progress {
  ui::resource resource;
  std::string_view provisioner, output;
};
struct provision_complete {
  ui::resource resource;
  std::string_view provisioner;
};
struct provision_errored {
  ui::resource resource;
  std::string_view provisioner;
};
struct refresh_start {
  ui::resource resource;
  object_id id;
};
struct refresh_complete {
  ui::resource resource;
  object_id id;
};
struct ephemeral_start {
  ui::resource resource;
  ephemeral_action action;
};
struct ephemeral_progress {
  ui::resource resource;
  ephemeral_action action;
};
struct ephemeral_complete {
  ui::resource resource;
  ephemeral_action action;
};
struct ephemeral_errored {
  ui::resource resource;
  ephemeral_action action;
};

/// `files` is an object: path to array of run names, or null.
struct test_abstract {
  json::value files;
};
/// `status` is empty while Terraform reports progress only.
struct test_file {
  std::string_view path, status;
};
struct test_run {
  std::string_view path, run, status;
};
struct test_summary {
  std::string_view status;
  std::int64_t passed = 0, failed = 0, errored = 0, skipped = 0;
};
/// `test_plan` and `test_state`: whole documents full of values; nothing of them is kept.
struct test_document {};

/// Types that say what they say in `@message`: lock waits, `resource_address` and so on. Some name
/// addresses or workspaces beside it, in arrays of strings or of objects with an `instance`.
struct notice {
  json::value names;
};
/// Terraform's `init_output`. `code` names the sentence: "output_init_success_message" and others.
struct init_output {
  std::string_view code;
};
struct test_interrupt {
  json::value names;
};
/// Terraform's `action_progress`: `@message` holds output of a program.
struct action_output {};
/// Terraform's `action_errored`: behind " - " its `@message` holds output of a program, which the
/// diagnostic that follows repeats.
struct action_errored {};
/// No `type` at all: progress of init, import, state and workspace commands.
struct untyped {};
/// A type this program does not know.
struct unknown {};
/// A known type whose members are not as they should be.
struct malformed {};

using message =
    std::variant<version, log, diagnostic, planned_change, resource_drift, change_summary, outputs,
                 apply_start, apply_progress, apply_complete, apply_errored, provision_start,
                 provision_progress, provision_complete, provision_errored, refresh_start,
                 refresh_complete, ephemeral_start, ephemeral_progress, ephemeral_complete,
                 ephemeral_errored, test_abstract, test_file, test_run, test_summary, test_document,
                 test_interrupt, notice, init_output, action_output, action_errored, untyped,
                 unknown, malformed>;

}  // namespace tofud::ui
