#include "daemon/cli/recover.hpp"

#include "daemon/cli/lock_search.hpp"
#include "daemon/cli/recovery/recovered_lock.hpp"
#include "daemon/cli/recovery/recovered_state.hpp"
#include "daemon/cli/recovery/recovered_stream.hpp"
#include "daemon/cli/refusal.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/files/whole_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/pipeline/state_dump.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/github.hpp"
#include "daemon/terminal/mode.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/recover/recovery.hpp"
#include "protocol/recover/recovery_text.hpp"
#include "protocol/recover/statement.hpp"

#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

using recover::certainty;
using recover::statement;

struct recover_arguments {
  run_argument run;
  std::string state;  // empty: that of the working directory
  lock_arguments lock;
  std::string dump;  // empty: the state in the stream is written nowhere
  std::string file;  // empty: stdout
};

/// What the steps below make of it; nothing: what failed is said on stderr.
struct recovered {
  recovery::recovered_stream stream;
  std::string spool;                           // empty: it is at a daemon
  const correlator::run_state* run = nullptr;  // of the stream
  recovery::recovered_state state;
  std::optional<recovery::found_lock> lock;

  bool has_dump() const { return !stream.dump_of(*run).empty(); }
};

bool refuse_stream(const std::string& sentence) {
  spool::notice(sentence);
  return false;
}

bool read_run(const run_argument& given, recovered& into) {
  auto opened = open_run(given);
  if (!opened) return false;
  const auto failure = into.stream.read(opened->stream);
  if (!failure.empty()) return refuse_stream(failure.text());
  if (!holds(into.stream.fold(), opened->chosen)) return false;
  into.spool = opened->chosen.path;
  into.run = recovery::recovered_run(into.stream.fold(), opened->chosen.only);
  return into.run != nullptr || refuse_stream("that stream contains no run");
}

bool wrote_errored_state(const correlator::run_state& run) {
  for (std::size_t i = 0; i < run.diagnostics(); ++i) {
    if (run.diagnostic_at(i).detail.find("written to the file \"errored.tfstate\"") !=
        std::string::npos)
      return true;
  }
  return false;
}

/// What is better than import blocks, and what is odd, before all the rest.
void say_of_run(const recover_arguments& given, const recovered& from,
                std::vector<statement>& said) {
  const std::size_t runs = from.stream.fold().runs().size();
  if (runs > 1) {
    said.push_back({certainty::fact, "the stream has " + std::to_string(runs) +
                                         " runs; this is about " + from.run->id()});
  }
  if (from.stream.goes_on())
    said.push_back(
        {certainty::unknown, "how the run ends: it is still going, and this is its state now"});
  if (from.has_dump()) {
    said.push_back({certainty::fact,
                    "the run printed the whole state because OpenTofu could not save it; instead "
                    "of import blocks, use tofu state push " +
                        (given.dump.empty() ? "FILE; --dump FILE writes it"
                                            : recover::shell_quoted(given.dump))});
  } else if (wrote_errored_state(*from.run)) {
    said.push_back({certainty::fact,
                    "OpenTofu wrote the state it could not save to errored.tfstate in its working "
                    "directory; instead of import blocks, use tofu state push errored.tfstate"});
  }
  const bool ended_well = from.run->status() == feed::run_status::succeeded;
  if (ended_well && from.state.held.form == recover::state_form::absent) {
    said.push_back({certainty::unknown,
                    "where the state is: this run succeeded, so the state should exist; give it "
                    "with --state (tofu state pull > state.json writes it)"});
  }
}

std::vector<const feed::resource_row*> rows_of(const correlator::run_state& run) {
  std::vector<const feed::resource_row*> rows;
  rows.reserve(run.resources().size());
  for (const auto& each : run.resources()) rows.push_back(&each.row);
  return rows;
}

int print(const recover_arguments& given, const recovered& from) {
  const auto rows = rows_of(*from.run);
  const recover::recovery found = recover::recover(rows, from.state.held);
  std::vector<statement> said;
  say_of_run(given, from, said);
  for (auto& each : recover::summary_of(found, from.state.held, from.state.name))
    said.push_back(std::move(each));
  for (auto& each : statements_of(from.lock, from.run->view())) said.push_back(std::move(each));

  const bool of_terraform = !from.run->view().terraform.empty();
  if (of_terraform) {
    for (statement& each : said) each.text = recover::said_of_terraform(std::move(each.text));
  }
  const recover::provenance origin{from.run->id(), from.stream.sha256(), from.state.name,
                                   from.state.held.lineage, from.state.held.serial};
  std::string text = recover::recovery_text(found, origin, said);
  if (of_terraform) text = recover::said_of_terraform(std::move(text));
  std::string lines;
  for (const statement& each : said)
    lines += terminal::sanitize(to_string(each), terminal::colours::strip) + "\n";
  const bool on_github = terminal::on_github(::getenv);
  files::write_all(STDERR_FILENO, on_github ? terminal::github::defused_lines(lines) : lines);
  if (given.file.empty() || given.file == "-")
    return files::write_all(STDOUT_FILENO, on_github ? terminal::github::defused_json(text) : text)
               ? 0
               : 1;
  const auto unwritten = files::write_whole_file(given.file, text);
  if (unwritten.empty()) return 0;
  spool::notice(unwritten.text());
  return 1;
}

/// The exit status, 0 if there is nothing to write.
int write_dump(const std::string& file, const recovered& from) {
  if (file.empty()) return 0;
  if (!from.has_dump()) {
    spool::notice(
        "that run printed no state; --dump works only if OpenTofu could not save its state");
    return unreadable;
  }
  if (pipeline::write_state(file, from.stream.dump_of(*from.run))) return 0;
  spool::notice("can't write " + file);
  return 1;
}

int run_recover(const recover_arguments& given) {
  recovered from;
  if (!read_run(given.run, from)) return unreadable;
  auto state = recovery::find_state(given.state, from.stream.dump_of(*from.run));
  if (!state) {
    spool::notice(state.error().text());
    return unreadable;
  }
  from.state = std::move(*state);
  const lock_place place{from.stream, *from.run, from.spool, from.state.file};
  if (!find_lock(given.lock, given.run, place, from.lock)) return unreadable;
  if (const int failed = write_dump(given.dump, from); failed != 0) return failed;
  return print(given, from);
}

}  // namespace

void add_recover(command& line) {
  auto given = std::make_shared<recover_arguments>();
  command& words = line.add_command("recover",
                                    "After a killed apply: write import blocks for resources that "
                                    "exist but are missing from the state; changes nothing itself");
  add_run_argument(words, given->run, run_given::always);
  words
      .add_option("--state", given->state,
                  "Current state: a state file or the output of `tofu show -json`; may be empty or "
                  "missing; - is standard input (default: terraform.tfstate in this directory)")
      .value("FILE");
  words
      .add_option("--lock-info", given->lock.file,
                  "Lock information of the backend (default: .terraform.tfstate.lock.info beside "
                  "the state)")
      .value("FILE");
  words
      .add_option("--lock-stream", given->lock.stream,
                  "A later run that failed on the lock: its error has the lock ID (default: the "
                  "stored runs of the same stack)")
      .value("RUN");
  words
      .add_option("--dump", given->dump,
                  "Write the state that OpenTofu could not save and printed into the stream, for "
                  "`tofu state push`")
      .value("FILE");
  words
      .add_option("-o,--output", given->file,
                  "The .tf.json file to write (default: standard output)")
      .value("FILE");
  words.footer(
      "Each line on standard error, and each comment in the file, is a fact, a candidate or "
      "unknown.\nFor example: tofud recover last > recovered.tf.json && tofu plan");
  words.run = [given] { return run_recover(*given); };
}

}  // namespace tofud::cli
