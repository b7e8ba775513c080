#include "daemon/commands/recover.hpp"

#include "daemon/commands/run_argument.hpp"
#include "daemon/reader/notice.hpp"
#include "daemon/recovered_lock.hpp"
#include "daemon/recovered_state.hpp"
#include "daemon/recovered_stream.hpp"
#include "daemon/regular_file.hpp"
#include "daemon/stack/state_place.hpp"
#include "daemon/state_dump.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "daemon/terminal/writer.hpp"
#include "daemon/whole_file.hpp"
#include "protocol/limits.hpp"
#include "protocol/recover/recovery.hpp"
#include "protocol/recover/recovery_text.hpp"
#include "protocol/recover/statement.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::commands {
namespace {

using recover::certainty;
using recover::statement;

constexpr int unreadable = 2;

struct recover_arguments {
  run_argument run;
  std::string state;        // empty: that of the working directory
  std::string lock_info;    // empty: the one beside the state
  std::string lock_stream;  // empty: none
  std::string dump;         // empty: the state in the stream is written nowhere
  std::string file;         // empty: stdout
};

/// What the steps below make of it; nothing: what failed is said on stderr.
struct recovered {
  recovered_stream stream;
  const correlator::run_state* run = nullptr;  // of the stream
  recovered_state state;
  std::optional<found_lock> lock;

  bool has_dump() const { return !stream.dump_of(*run).empty(); }
};

bool refuse(const std::string& sentence) {
  reader::notice(sentence);
  return false;
}

bool read_run(const run_argument& given, recovered_stream& into,
              const correlator::run_state*& chosen) {
  auto opened = open_run(given);
  if (!opened) return false;
  const std::string failure = into.read(opened->stream);
  if (!failure.empty()) return refuse(failure);
  if (!holds(into.fold(), opened->chosen)) return false;
  chosen = recovered_run(into.fold(), opened->chosen.only);
  return chosen != nullptr || refuse("that stream has no run");
}

/// The last run of a stream that could not have the lock says whose it is.
std::optional<found_lock> lock_in(const correlator::run_state& run) {
  for (std::size_t i = run.diagnostics(); i-- > 0;) {
    const feed::diagnostic_row& each = run.diagnostic_at(i);
    if (!stacks::is_lock_error(each.summary)) continue;
    auto lock = stacks::parse_lock_info(each.detail);
    if (!lock || lock->id.empty()) continue;
    return found_lock{std::move(*lock), "the lock error of run " + run.id(), false};
  }
  return std::nullopt;
}

/// Runs that came after it in the same stream met what it left.
std::optional<found_lock> lock_after(const correlator::stream_fold& fold,
                                     const correlator::run_state* run) {
  bool after = run == nullptr;
  for (const correlator::run_state& each : fold.runs()) {
    if (after) {
      if (auto lock = lock_in(each)) return lock;
    }
    after = after || &each == run;
  }
  return std::nullopt;
}

bool read_lock_file(const std::string& path, bool given, std::optional<found_lock>& into) {
  if (!given && ::access(path.c_str(), F_OK) != 0) return true;
  const auto read = read_regular_file(path, limits::described_bytes);
  if (!read.failure.empty()) return refuse("can't read " + path + ": " + read.failure);
  auto lock = stacks::parse_lock_file(read.text);
  if (lock) {
    into = found_lock{std::move(*lock), path, path.ends_with(".lock.info")};
  } else if (given) {
    return refuse(path + " names no lock: the ID of a lock in JSON was expected");
  }
  return true;
}

/// What somebody gives first, then what lies beside the state, then what the stream has.
bool find_lock(const recover_arguments& given, recovered& into) {
  if (!given.lock_info.empty()) return read_lock_file(given.lock_info, true, into.lock);
  if (!given.lock_stream.empty()) {
    recovered_stream other;
    const correlator::run_state* last = nullptr;
    run_argument of = given.run;
    of.run = given.lock_stream;
    if (!read_run(of, other, last)) return false;
    into.lock = lock_after(other.fold(), nullptr);
    return into.lock.has_value() || refuse(given.lock_stream + " has no error about a lock");
  }
  if (!into.state.file.empty() &&
      !read_lock_file(stack::lock_file_of(into.state.file).string(), false, into.lock))
    return false;
  if (!into.lock) into.lock = lock_after(into.stream.fold(), into.run);
  return true;
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
                                         " runs: this is about " + from.run->id()});
  }
  if (from.stream.goes_on())
    said.push_back({certainty::unknown, "how the run ends: it goes on, and this is of now"});
  if (from.has_dump()) {
    said.push_back({certainty::fact,
                    "the run printed the whole state, which OpenTofu could not save: better than "
                    "any import block is tofu state push " +
                        (given.dump.empty() ? "FILE; --dump FILE writes it"
                                            : recover::shell_quoted(given.dump))});
  } else if (wrote_errored_state(*from.run)) {
    said.push_back({certainty::fact,
                    "OpenTofu wrote the state it could not save to errored.tfstate in its working "
                    "directory: better than any import block is tofu state push errored.tfstate"});
  }
  const bool ended_well = from.run->status() == feed::run_status::succeeded;
  if (ended_well && from.state.held.form == recover::state_form::absent) {
    said.push_back({certainty::unknown,
                    "where the state is: this run ended well, so it should be there; give it with "
                    "--state, as tofu state pull > state.json writes it"});
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

  const recover::provenance origin{from.run->id(), from.stream.sha256(), from.state.name,
                                   from.state.held.lineage, from.state.held.serial};
  const std::string text = recover::recovery_text(found, origin, said);
  std::string lines;
  for (const statement& each : said)
    lines += terminal::sanitize(to_string(each), terminal::colours::strip) + "\n";
  terminal::write_all(STDERR_FILENO, lines);
  if (given.file.empty() || given.file == "-")
    return terminal::write_all(STDOUT_FILENO, text) ? 0 : 1;
  const std::string unwritten = write_whole_file(given.file, text);
  if (unwritten.empty()) return 0;
  reader::notice(unwritten);
  return 1;
}

int run_recover(const recover_arguments& given) {
  recovered from;
  if (!read_run(given.run, from.stream, from.run)) return unreadable;
  auto state = find_state(given.state, from.stream.dump_of(*from.run));
  if (!state) {
    reader::notice(state.error());
    return unreadable;
  }
  from.state = std::move(*state);
  if (!find_lock(given, from)) return unreadable;
  if (!given.dump.empty()) {
    if (!from.has_dump()) {
      reader::notice("that stream holds no state; --dump writes one that OpenTofu could not save");
      return unreadable;
    }
    if (!write_state(given.dump, from.stream.dump_of(*from.run))) {
      reader::notice("can't write " + given.dump);
      return 1;
    }
  }
  return print(given, from);
}

}  // namespace

command add_recover(CLI::App& line) {
  auto given = std::make_shared<recover_arguments>();
  CLI::App* words = line.add_subcommand(
      "recover",
      "After a killed apply: write import blocks for what the stream says exists and the state "
      "lacks; runs nothing itself");
  add_run_argument(*words, given->run, run_given::always);
  words
      ->add_option("--state", given->state,
                   "The state now: a state file, or what `tofu show -json` writes; may be empty or "
                   "absent; -: standard input (default: terraform.tfstate of this directory)")
      ->type_name("FILE");
  words
      ->add_option("--lock-info", given->lock_info,
                   "What a backend keeps of the lock (default: .terraform.tfstate.lock.info "
                   "beside the state)")
      ->type_name("FILE");
  words
      ->add_option("--lock-stream", given->lock_stream,
                   "A later run that met the lock: its error has the ID")
      ->type_name("RUN");
  words
      ->add_option("--dump", given->dump,
                   "Write the state that the stream holds, if OpenTofu could not save it, for "
                   "`tofu state push`")
      ->type_name("FILE");
  words->add_option("-o,--output", given->file, "The .tf.json file to write (default: stdout)")
      ->type_name("FILE");
  words->footer(
      "Each line on stderr, and each comment in the file, is a fact, a candidate or unknown.\n"
      "For example: tofud recover last > recovered.tf.json && tofu plan");
  return {words, [given] { return run_recover(*given); }};
}

}  // namespace tofud::commands
