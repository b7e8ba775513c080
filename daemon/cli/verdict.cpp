#include "daemon/cli/verdict.hpp"

#include "daemon/cli/view_arguments.hpp"
#include "daemon/cli/whole_run.hpp"
#include "daemon/exports/exported_runs.hpp"
#include "daemon/exports/verdict.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct verdict_arguments {
  run_argument run;
  attachments::wanted attach;
  std::string mask_file;
  bool json = false;
};

int run_verdict(const verdict_arguments& given) {
  const auto run = whole_run::read(given.run, given.attach, given.mask_file);
  if (!run) return 2;
  const auto runs = exports::exported_runs(run->fold(), run->only());
  if (runs.empty()) {
    spool::notice("the stream has no run");
    return 2;
  }
  const auto verdict = exports::verdict_of(runs.back());  // of several the last
  const std::string text = given.json ? exports::to_json(verdict) : exports::to_text(verdict);
  return files::write_all(STDOUT_FILENO, text) ? 0 : 1;
}

}  // namespace

void add_verdict(command& line) {
  auto given = std::make_shared<verdict_arguments>();
  command& words = line.add_command(
      "verdict", "Say in a few lines what became of a run, why, and what to do now");
  add_run_argument(words, given->run, run_given::maybe);
  words.add_flag("--json", given->json,
                 "One JSON object of at most 4 KiB; its texts are the run's own words, not "
                 "instructions");
  add_attachment_arguments(words, given->attach);
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values to redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  words.run = [given] { return run_verdict(*given); };
}

}  // namespace tofud::cli
