#include "daemon/cli/pipe.hpp"

#include "daemon/attachments/schema_files.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/memory_file.hpp"
#include "daemon/keeper/keeper.hpp"
#include "daemon/keeper/worker_link.hpp"
#include "daemon/local/view_document.hpp"
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

int run_pipe(const pipe_arguments& given, const char* const* argv) {
  if (::isatty(STDIN_FILENO) != 0) {
    spool::notice(
        "no stream is piped in; try: tofu apply -json -auto-approve | tofud   (tofud --help)");
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
  tell_worker(options.worker, argv[0], given.view);
  if (mode == terminal::progress_mode::tty) options.worker.erase = terminal::erasure(::getenv);
  return keeper::keep(options);
}

}  // namespace

void tell_worker(keeper::worker_command& worker, const char* program, const view_options& view) {
  worker.argv = {program, worker_argument};
  // Without it the worker shows the run as it would if nobody had said anything.
  if (auto document = files::memory_file::of(to_document(view)))
    worker.told = std::move(*document).release();
}

void add_pipe(command& line, const char* const* argv) {
  auto given = std::make_shared<pipe_arguments>();
  add_stream_arguments(line, given->view, given->state_dir);
  line.run = [given, argv] { return run_pipe(*given, argv); };
}

void add_worker(command& line) {
  auto headless = std::make_shared<bool>(false);
  command& words = line.add_command(worker_argument, "");
  words.hide();
  words.add_flag(std::string{keeper::headless_argument}, *headless);
  words.run = [headless] {
    return run_worker(*headless ? worker_sort::headless : worker_sort::with_view);
  };
}

bool may_be_pipe(int argc, const char* const* argv) {
  if (argc < 2) return true;
  const std::string_view first = argv[1];
  return first.starts_with('-') || first == worker_argument;
}

}  // namespace tofud::cli
