#include "daemon/cli/pipe.hpp"

#include "daemon/attachments/schema_files.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/keeper/keeper.hpp"
#include "daemon/local/worker.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct pipe_arguments {
  view_options view;
  std::string state_dir;
};

int run_pipe(const pipe_arguments& given, int argc, const char* const* argv) {
  if (::isatty(STDIN_FILENO) != 0) {
    spool::notice(
        "nothing is piped in; try: tofu apply -json -auto-approve | tofud   (tofud --help)");
    return 2;
  }
  const auto mode =
      terminal::choose_progress(given.view.progress, ::isatty(STDOUT_FILENO) != 0, ::getenv);
  if (!mode) {
    spool::notice(terminal::no_terminal);
    return 2;
  }
  if (const auto refusal = redaction::refusal_of_mask_file(given.view.mask_file);
      !refusal.empty()) {
    spool::notice(refusal);
    return 2;
  }
  keeper::keeper_options options;
  options.state_dir = given.state_dir;
  options.worker.argv = {argv[0], worker_argument};
  options.worker.argv.insert(options.worker.argv.end(), argv + 1, argv + argc);
  if (mode == terminal::progress_mode::tty) options.worker.erase = terminal::erasure(::getenv);
  return keeper::keep(options);
}

/// What told_to_worker says of what `tofud run` found; what a person names wins.
void add_found_attachments(command& words, attachments::wanted& into) {
  words.read_option("--found-config", [&into](const std::string& directory) {
    if (into.config.empty()) into.config = directory;
  });
  words.add_option("--found-data-dir", into.data_directory);
  words.add_option("--found-schemas", into.own_schemas);
  words.add_option("--found-plan", into.found.plan);
  words.add_option("--found-program", into.found.program);
  words.add_option("--found-directory", into.found.directory);
  words.add_option("--found-chdir", into.found.chdir);
  words.add_option("--found-cache", into.found.cache);
}

}  // namespace

void add_pipe(command& line, int argc, const char* const* argv) {
  auto given = std::make_shared<pipe_arguments>();
  add_stream_arguments(line, given->view, given->state_dir);
  line.run = [given, argc, argv] { return run_pipe(*given, argc, argv); };
}

void add_worker(command& line) {
  struct worker_arguments {
    pipe_arguments of_the_pipe;
    bool headless = false;
    std::string found_stack;  // used if none is given
    std::string found_group;  // a label
    std::string wrapped;      // the subcommand of tofu; empty: a pipe
    events::plan_file plan_hash{events::plan_role::argument, "", 0};
    wrapped_command command;
  };
  auto given = std::make_shared<worker_arguments>();
  command& words = line.add_command(worker_argument, "");
  words.hide();
  add_stream_arguments(words, given->of_the_pipe.view, given->of_the_pipe.state_dir);
  words.add_flag("--headless", given->headless);
  words.add_option("--wrapped", given->wrapped);
  words.add_option("--found-stack", given->found_stack);
  words.add_option("--found-group", given->found_group);
  words.add_option("--found-commit", given->of_the_pipe.view.commit);
  words.add_option("--plan-out", given->of_the_pipe.view.plan_out);
  words.add_option("--plan-argument", given->of_the_pipe.view.plan_argument);
  words.add_option("--plan-hash", given->plan_hash.sha256);
  words.add_option("--plan-bytes", given->plan_hash.bytes);
  add_found_attachments(words, given->of_the_pipe.view.attach);
  words.add_flag("--may-ask", given->command.may_ask);
  words.add_flag("--ui", given->command.draws);
  words.add_flag("--replaces-text", given->command.replaces_text);
  words.add_flag("--passes-on", given->command.passes_on);
  words.run = [given] {
    const auto sort = given->headless ? worker_sort::headless : worker_sort::showing;
    view_options& view = given->of_the_pipe.view;
    if (view.stack.empty()) view.stack = given->found_stack;
    if (given->wrapped.empty())
      view.attach.own_schemas = attachments::own_schemas_of(view.attach.config);
    if (!given->plan_hash.sha256.empty()) view.plan_hash = given->plan_hash;
    const auto is_group = [](const feed::label& each) { return each.key == "group"; };
    if (!given->found_group.empty() &&
        std::none_of(view.labels.begin(), view.labels.end(), is_group)) {
      view.labels.push_back({"group", given->found_group});
    }
    if (!given->wrapped.empty()) {
      const auto named = feed::parse_run_command(given->wrapped);
      given->command.command = named.value_or(feed::run_command::other);
      view.wrapped = given->command;
    }
    return run_worker(view, sort);
  };
}

bool may_be_pipe(int argc, const char* const* argv) {
  if (argc < 2) return true;
  const std::string_view first = argv[1];
  return first.starts_with('-') || first == worker_argument;
}

}  // namespace tofud::cli
