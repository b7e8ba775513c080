#include "daemon/stack/run_facts.hpp"

#include "daemon/stack/git_head.hpp"
#include "daemon/stack/pipe_peer.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/program.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unistd.h>

namespace tofud::stack {
namespace {

constexpr unsigned look_again_us = 10'000;
constexpr int looks = 20;

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

/// https://docs.github.com/actions/reference/workflows-and-actions/variables,
/// https://docs.gitlab.com/ci/jobs/job_rules/#ci_pipeline_source-predefined-variable
bool is_scheduled() {
  return variable("GITHUB_EVENT_NAME") == "schedule" ||
         variable("CI_PIPELINE_SOURCE") == "schedule";
}

}  // namespace

stack::command_place place_of(const stack::tofu_command& command) {
  stack::command_place place;
  std::error_code failed;
  place.directory = std::filesystem::current_path(failed);
  place.chdir = command.chdir;
  place.workspace = variable("TF_WORKSPACE");
  place.data_dir = variable("TF_DATA_DIR");
  place.host = stack::host_name();
  return place;
}

run_facts run_facts_of(const stack::tofu_command& command, const stack::command_place& place) {
  run_facts found;
  found.argv = command.argv;
  const bool destroys = command.subcommand() == "apply" && command.has("destroy");
  found.command = feed::parse_run_command(destroys ? "destroy" : command.subcommand())
                      .value_or(feed::run_command::other);
  found.stack = stack::stack_name(place);
  const auto directory = place.directory / place.chdir;
  found.directory = directory.lexically_normal().string();
  found.commit = stack::head_commit(directory).value_or("");
  if (const auto at_once = command.flag("parallelism"))
    found.parallelism = text::parse_whole_number<std::uint64_t>(at_once->value).value_or(0);
  found.looks_for_drift =
      command.subcommand() == "plan" &&
      (command.has("refresh-only") || (command.has("detailed-exitcode") && is_scheduled()));
  // OpenTofu reads and writes them after it went to its directory.
  if (command.subcommand() == "plan") {
    const auto out = command.flag("out");
    if (out && !out->value.empty()) found.plan_out = (directory / out->value).lexically_normal();
  } else if (command.subcommand() == "apply") {
    const std::string file = command.plan_file();
    if (!file.empty()) found.plan_argument = (directory / file).lexically_normal();
  }
  return found;
}

run_facts run_facts_of_pipe(std::uint64_t inode, const std::atomic<std::uint64_t>& stored) {
  if (inode == 0) return {};
  auto peer = stack::find_pipe_peer(inode);
  for (int look = 1; look < looks && stored == 0; ++look) {
    if (peer && !ui::is_shell(peer->argv.front())) break;
    ::usleep(look_again_us);
    peer = stack::find_pipe_peer(inode);
  }
  if (!peer || !ui::is_tofu(peer->argv.front())) return {};
  const auto command = stack::parse_command(peer->argv, [](const char*) { return std::nullopt; });
  return run_facts_of(command, {peer->directory, command.chdir, peer->workspace, peer->data_dir,
                                stack::host_name()});
}

}  // namespace tofud::stack
