// tofud: the table of contents.
#include "daemon/cli/access.hpp"
#include "daemon/cli/attach.hpp"
#include "daemon/cli/backup.hpp"
#include "daemon/cli/blocks.hpp"
#include "daemon/cli/comment.hpp"
#include "daemon/cli/completion.hpp"
#include "daemon/cli/config.hpp"
#include "daemon/cli/demo.hpp"
#include "daemon/cli/doctor.hpp"
#include "daemon/cli/estimate.hpp"
#include "daemon/cli/export.hpp"
#include "daemon/cli/graph.hpp"
#include "daemon/cli/history.hpp"
#include "daemon/cli/list.hpp"
#include "daemon/cli/logs.hpp"
#include "daemon/cli/manual.hpp"
#include "daemon/cli/mcp.hpp"
#include "daemon/cli/notify.hpp"
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
#include "daemon/cli/verdict.hpp"
#include "daemon/cli/watch.hpp"
#include "daemon/keeper/keeper.hpp"
#include "daemon/operations/version.hpp"

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
  const keeper::original_signals signals;
  if (cli::is_shim(argv[0])) return cli::run_shim(argc, argv, signals);
  if (cli::may_be_pipe(argc, argv)) keeper::ignore_signals();
  cli::command line{"tofud", about};
  cli::add_pipe(line, argv);
  cli::add_worker(line);
  cli::add_attach(line);
  cli::add_replay(line);
  cli::add_run(line, argc, argv, signals);
  cli::add_serve(line);
  cli::add_config(line);
  cli::add_demo(line);
  cli::add_doctor(line);
  cli::add_show(line);
  cli::add_list(line);
  cli::add_history(line);
  cli::add_graph(line);
  cli::add_estimate(line);
  cli::add_watch(line);
  cli::add_open(line);
  cli::add_logs(line);
  cli::add_verdict(line);
  cli::add_mcp(line);
  cli::add_export(line);
  cli::add_comment(line);
  cli::add_resume(line);
  cli::add_recover(line);
  cli::add_redact(line);
  cli::add_schema(line);
  cli::add_blocks(line);
  cli::add_remove(line);
  cli::add_reindex(line);
  cli::add_backup(line);
  cli::add_token(line);
  cli::add_access(line);
  cli::add_notify(line);
  cli::add_completion(line);
  cli::add_manual(line);
  return cli::run_one(line, std::string{"tofud "} + operations::version,
                      cli::own_arguments(argc, argv), argv);
}
