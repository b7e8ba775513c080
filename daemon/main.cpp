// tofud: the table of contents.
#include "daemon/cli/attach.hpp"
#include "daemon/cli/blocks.hpp"
#include "daemon/cli/completion.hpp"
#include "daemon/cli/config.hpp"
#include "daemon/cli/demo.hpp"
#include "daemon/cli/doctor.hpp"
#include "daemon/cli/export.hpp"
#include "daemon/cli/list.hpp"
#include "daemon/cli/logs.hpp"
#include "daemon/cli/manual.hpp"
#include "daemon/cli/open.hpp"
#include "daemon/cli/pipe.hpp"
#include "daemon/cli/recover.hpp"
#include "daemon/cli/redact.hpp"
#include "daemon/cli/reindex.hpp"
#include "daemon/cli/remove.hpp"
#include "daemon/cli/replay.hpp"
#include "daemon/cli/resume.hpp"
#include "daemon/cli/run.hpp"
#include "daemon/cli/schema.hpp"
#include "daemon/cli/serve.hpp"
#include "daemon/cli/show.hpp"
#include "daemon/cli/token.hpp"
#include "daemon/cli/watch.hpp"
#include "daemon/keeper/keeper.hpp"
#include "daemon/operations/version.hpp"

#include <CLI/CLI.hpp>

namespace {

constexpr const char* about =
    "Shows what an OpenTofu run is doing: in the terminal, on a page, to programs.\n"
    "\n"
    "  tofud run -- tofu apply                       a live page beside tofu's own terminal\n"
    "  tofu apply -json -auto-approve | tofud        progress here, a live page on loopback\n"
    "  tofud demo                                    the same for a run that is built in\n"
    "  tofud replay FILE                             the same for a recorded stream\n"
    "  tofud ls, watch, open, logs, export           runs that go on here or at a daemon, and old "
    "ones";

}  // namespace

// An exception that nobody expected ends a worker, and the keeper starts the next.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
  using namespace tofud;
  const reader::original_signals signals;
  if (commands::is_shim(argv[0])) return commands::run_shim(argc, argv, signals);
  if (commands::may_be_pipe(argc, argv)) reader::ignore_signals();
  CLI::App line{about, "tofud"};
  line.set_version_flag("--version", std::string{"tofud "} + version);
  line.set_help_flag("-h,--help", "Print this help");
  line.set_help_all_flag("--help-all", "Print the help of every command");
  line.option_defaults()->always_capture_default(false);
  return commands::run_one(
      {
          commands::add_pipe(line, argc, argv),
          commands::add_worker(line),
          commands::add_attach(line),
          commands::add_replay(line),
          commands::add_run(line, argc, argv, signals),
          commands::add_serve(line),
          commands::add_config(line),
          commands::add_demo(line),
          commands::add_doctor(line),
          commands::add_show(line),
          commands::add_list(line),
          commands::add_watch(line),
          commands::add_open(line),
          commands::add_logs(line),
          commands::add_export(line),
          commands::add_resume(line),
          commands::add_recover(line),
          commands::add_redact(line),
          commands::add_schema(line),
          commands::add_blocks(line),
          commands::add_remove(line),
          commands::add_reindex(line),
          commands::add_token(line),
          commands::add_completion(line),
          commands::add_manual(line),
      },
      commands::own_arguments(argc, argv), argv);
}
