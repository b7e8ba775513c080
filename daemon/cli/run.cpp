#include "daemon/cli/run.hpp"

#include "daemon/attachments/schema_files.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/pipe.hpp"
#include "daemon/cli/plan_text.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/keeper/keeper.hpp"
#include "daemon/keeper/wrapped_run.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/spool/run_id.hpp"
#include "daemon/stack/ci_labels.hpp"
#include "daemon/stack/following.hpp"
#include "daemon/stack/group.hpp"
#include "daemon/stack/plan_file.hpp"
#include "daemon/stack/program.hpp"
#include "daemon/stack/run_facts.hpp"
#include "daemon/stack/shim.hpp"
#include "daemon/terminal/screen.hpp"
#include "protocol/ui/program.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

using words = std::vector<std::string>;

constexpr const char* shim_folder = "shim";

/// The name under which runs of one program stand together, for the shims that it will start.
constexpr const char* group_variable = "TOFUD_GROUP";

/// The options of `tofud run`, as a JSON array of words, for the shims that the command will start.
constexpr const char* options_variable = "TOFUD_RUN_OPTIONS";

/// How a command came to us.

struct run_arguments {
  view_options view;
  std::string state_dir;
  bool draws = false;
  bool keeps_text = false;
  bool is_shim = false;  // tofud was started under the name of tofu
};

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

bool switched_off() { return variable("TOFUD") == "off"; }

words environment_words() {
  words all;
  for (char** each = ::environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

/// Becomes that program. Returns only if it can't: with the status that a shell would have.
int become(const std::string& program, const words& argv, const keeper::original_signals& signals) {
  signals.restore();
  std::vector<char*> pointers;
  // POSIX's argv is not const, for history's sake; exec leaves the strings alone.
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  ::execvp(program.c_str(), pointers.data());
  const int error = errno;
  spool::notice(program + " can't be started: " + std::generic_category().message(error));
  return keeper::status_of_no_start(error);
}

std::string ourselves() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::string{} : path.string();
}

/// Standard input is /dev/null, or what wrote it has gone and left nothing.
bool nobody_answers() {
  struct stat about {};
  if (::fstat(STDIN_FILENO, &about) != 0) return true;
  if (S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 3)) return true;
  if (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)) return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLIN)) == POLLHUP;
}

stack::following decide(const stack::tofu_command& command, const std::string& program,
                        const stack::command_place& place, const run_arguments& given) {
  stack::surroundings around;
  around.keeps_text = given.keeps_text;
  around.env = variable;
  around.stdin_is_terminal = ::isatty(STDIN_FILENO) != 0;
  around.stdin_is_empty = nobody_answers();
  around.shows_on_terminal = ::isatty(STDOUT_FILENO) != 0 || ::isatty(STDERR_FILENO) != 0;
  around.prints_own_view = given.view.progress != terminal::progress_flag::automatic;
  around.version = [&] { return stack::ask_version(program, command.chdir); };
  around.runs_elsewhere = [&] {
    const std::string type = stack::backend_type_of(place);
    return type == "remote" || type == "cloud";
  };
  return stack::follow(command, around);
}

/// `-json-into=FILE` is read by tofu after it went to its directory.
std::string users_path(const stack::command_place& place, const std::string& file) {
  return (place.directory / place.chdir / file).lexically_normal().string();
}

/// Where schemas are kept for the next run; empty: nowhere.
std::string cache_directory() {
  const auto own = variable("XDG_CACHE_HOME");
  // Relative paths are left out, as the XDG specification asks.
  if (own && own->starts_with('/')) return *own + "/tofud";
  const auto home = variable("HOME");
  return home && home->starts_with('/') ? *home + "/.cache/tofud" : "";
}

/// What is to be attached to the run beside what a person named, which wins.
void find_attachments(attachments::wanted& attach, const stack::tofu_command& command,
                      const stack::command_place& place, const std::string& program,
                      const std::string& saved_plan) {
  constexpr std::array<std::string_view, 5> of_configuration = {"apply", "destroy", "import",
                                                                "plan", "refresh"};
  if (std::find(of_configuration.begin(), of_configuration.end(), command.subcommand()) ==
      of_configuration.end()) {
    return;
  }
  const auto root = place.chdir.empty() ? place.directory : place.directory / place.chdir;
  if (attach.config.empty()) attach.config = root.string();
  attach.data_directory = place.data_dir.value_or("");
  attach.own_schemas = attachments::own_schemas_of(root.string());
  // Only a saved plan is worth the providers that are started to read it, beside tofu's own.
  if (saved_plan.empty()) return;
  attach.found = {saved_plan, program, place.directory.string(), place.chdir, cache_directory()};
}

/// What the worker is told of the command, before tofu starts.
view_options view_of(const run_arguments& given, const stack::tofu_command& command,
                     const stack::following& way, const stack::run_facts& facts) {
  view_options view = given.view;
  wrapped_command& wrapped = view.wrapped.emplace();
  wrapped.command = facts.command.value_or(feed::run_command::other);
  wrapped.may_ask = way.may_ask;
  wrapped.replaces_text = way.by == stack::channel::json;
  wrapped.tells_plan = way.plan.has_value();
  wrapped.coloured = way.plan && way.plan->coloured;
  wrapped.quiet = variable("TOFUD_QUIET").value_or("").size() > 0 ||
                  (given.is_shim && command.subcommand() == "init");
  wrapped.draws = given.draws;
  if (view.stack.empty()) view.stack = facts.stack;
  view.commit = facts.commit;
  view.plan_out = facts.plan_out;
  view.plan_argument = facts.plan_argument;
  view.directory = facts.directory;
  view.parallelism = facts.parallelism;
  view.looks_for_drift = facts.looks_for_drift;
  view.variables = redaction::variables_of(facts.argv);
  const auto group = variable(group_variable).value_or(stack::group_of(::getppid()));
  if (!group.empty()) stack::add_missing(view.labels, {{"group", group}});
  // As it is before tofu starts, which may delete it.
  if (const auto plan = stack::hash_plan_file(facts.plan_argument, limits::plan_file_first_bytes))
    view.plan_hash = events::plan_file{events::plan_role::argument, plan->sha256, plan->bytes};
  return view;
}

int follow_tofu(const std::string& program, const words& argv, const run_arguments& given,
                const keeper::original_signals& signals) {
  const auto untouched = [&](const std::string& why) {
    if (!why.empty()) spool::notice("no live view: " + why);
    return become(program, argv, signals);
  };
  if (switched_off()) return untouched("");
  const auto command = stack::parse_command(argv, variable);
  const auto place = place_of(command);
  const auto way = decide(command, program, place, given);
  if (way.by == stack::channel::none) return untouched(way.why);
  std::unique_ptr<plan_text> shown;
  if (way.plan) {
    auto made = plan_text::of(*way.plan, command, program);
    if (made.has_error()) return untouched(made.error().text());
    shown = std::move(*made);
  }
  keeper::wrapped_plan plan;
  if (way.by == stack::channel::users_file) {
    plan.file.emplace(users_path(place, way.file));
    if (const auto refusal = plan.file->refusal(); !refusal.empty()) return untouched(refusal);
  }
  auto [spool, remarks] =
      keeper::open_spool(given.state_dir, spool::process_environment(), {},
                         std::chrono::system_clock::now(), spool::random_digits);
  if (spool.path().empty())
    return untouched(remarks.empty() ? "no directory is writable for its stream" : remarks.front());

  plan.child.program = program;
  plan.child.argv = argv;
  const bool draws = given.draws && way.added == "-json-into";
  if (given.draws && !draws)
    spool::notice("no live block: --ui needs OpenTofu 1.12 or later, without your own -json");
  if (way.added == "-json-into") {
    plan.child.argv =
        stack::with_flags(command, draws ? words{"-json-into=" + spool.path(), "-concise"}
                                         : words{"-json-into=" + spool.path()});
  } else if (!way.added.empty()) {
    words flags = {way.added};
    if (shown) {
      for (const std::string& each : shown->flags()) flags.push_back(each);
    }
    plan.child.argv = stack::with_flags(command, flags);
  }
  plan.child.env = environment_words();
  plan.child.held_fd = spool.lines_fd();
  if (way.by == stack::channel::json || way.by == stack::channel::users_json) {
    plan.child.stdout_fd = spool.lines_fd();
  }
  plan.through_us = way.by == stack::channel::users_json && spool.is_short_of_room();
  const stack::run_facts facts = run_facts_of(command, place);
  view_options view = view_of(given, command, way, facts);
  view.wrapped->passes_on = way.by == stack::channel::users_json && !plan.through_us;
  find_attachments(view.attach, command, place, program, facts.plan_argument);
  tell_worker(plan.worker, "tofud", view);
  plan.worker.infers = false;
  if (draws) plan.worker.erase = terminal::erasure(::getenv);

  // From here on signals are ours to pass on. Blocked before there are threads; ignored as well for
  // the workers, who inherit that.
  keeper::signal_relay relay;
  keeper::ignore_signals();
  for (const std::string& remark : remarks) spool::notice(remark);
  if (!way.missing.empty()) spool::notice(way.missing);
  if (shown) {
    plan.afterwards = [&shown, path = spool.path(), &signals, &relay](int status) {
      shown->print(path, status, signals, relay);
    };
  }
  const auto status = keeper::follow_command(plan, spool, signals, relay);
  if (!status) return untouched("there is not enough memory");
  if (shown && !shown->failure().empty()) {
    spool::notice("the plan runs once more without a live view: " + shown->failure());
    return become(program, argv, signals);
  }
  return *status;
}

/// The words with the paths in them made absolute: what reads them may be elsewhere.
words from_anywhere(words given) {
  constexpr std::array<std::string_view, 9> with_path = {
      "--report",  "--junit", "--mask-file", "--token-file", "--state-dir",
      "--ca-file", "--plan",  "--schemas",   "--config"};
  const auto absolute = [](const std::string& path) {
    std::error_code failed;
    const auto found = std::filesystem::absolute(path, failed);
    return failed || path.empty() || path == "-" ? path : found.string();
  };
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t equals = given[i].find('=');
    const std::string name = given[i].substr(0, equals);
    if (std::find(with_path.begin(), with_path.end(), name) == with_path.end()) continue;
    if (equals != std::string::npos)
      given[i] = name + "=" + absolute(given[i].substr(equals + 1));
    else if (i + 1 < given.size())
      given[i + 1] = absolute(given[i + 1]);
  }
  return given;
}

/// What `tofud run` was told, where we are a shim that it has put there; empty: nothing.
words options_of_run() {
  const auto text = variable(options_variable);
  if (!text) return {};
  boost::json::error_code failed;
  const auto read = boost::json::parse(*text, failed);
  words found;
  if (failed || !read.is_array()) return found;
  for (const auto& word : read.get_array()) {
    if (word.is_string()) found.emplace_back(word.get_string());
  }
  return found;
}

/// Puts a shim in front of every tofu that the command may start, and tells it what we were told.
int become_with_shim(const words& argv, const run_arguments& given, const words& view_words,
                     const keeper::original_signals& signals) {
  boost::json::array options;
  for (const std::string& word : from_anywhere(view_words)) options.emplace_back(word);
  if (!options.empty()) ::setenv(options_variable, boost::json::serialize(options).c_str(), 1);
  std::string failure = "no directory is writable for its links";
  for (const auto& candidate :
       spool::place_candidates(given.state_dir, spool::process_environment())) {
    const auto entered = spool::enter_place(candidate);
    if (!entered.place) continue;
    const auto made = stack::make_shim(entered.place->directory + "/" + shim_folder, ourselves());
    if (!made.directory.empty()) {
      const std::string name = std::filesystem::path{argv.front()}.filename();
      ::setenv(group_variable, (name + "-" + std::to_string(::getpid())).c_str(), 0);
      ::setenv("PATH", (made.directory + ":" + variable("PATH").value_or("/usr/bin:/bin")).c_str(),
               1);
      failure.clear();
      break;
    }
    failure = made.failure;
  }
  if (!failure.empty()) spool::notice("no live view: " + failure);
  return become(argv.front(), argv, signals);
}

int run_command(const run_arguments& given, const words& argv, const words& view_words,
                const keeper::original_signals& signals) {
  if (argv.empty()) {
    spool::notice("name the command to run: tofud run -- tofu apply   (tofud run --help)");
    return 2;
  }
  if (given.draws && ::isatty(STDERR_FILENO) == 0) {
    spool::notice("--ui needs a terminal, and standard error is not one; leave --ui out");
    return 2;
  }
  if (const auto refusal = redaction::refusal_of_mask_file(given.view.mask_file);
      !refusal.empty()) {
    spool::notice(refusal);
    return 2;
  }
  if (ui::is_tofu(argv.front())) {
    return follow_tofu(argv.front(), argv, given, signals);
  }
  return become_with_shim(argv, given, view_words, signals);
}

/// What tofu starts finds the PATH that it would find without us. A link that a person made stays.
void leave_own_shims(const std::string& name, const stack::file_identity& self) {
  const std::string path = variable("PATH").value_or("");
  std::string kept = path;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string directory = path.substr(begin, end - begin);
    begin = end + 1;
    if (std::filesystem::path{directory}.filename() != shim_folder) continue;
    std::string program = directory;
    program.append("/").append(name);
    if (stack::identity_of(program) == self) kept = stack::path_without(kept, directory);
  }
  if (kept != path) ::setenv("PATH", kept.c_str(), 1);
}

}  // namespace

int own_arguments(int argc, const char* const* argv) {
  if (argc < 2 || std::string_view{argv[1]} != "run") return argc;
  for (int i = 2; i < argc; ++i) {
    if (std::string_view{argv[i]} == "--") return i;
  }
  return argc;
}

void add_run(command& line, int argc, const char* const* argv,
             const keeper::original_signals& signals) {
  auto given = std::make_shared<run_arguments>();
  command& app = line.add_command("run",
                                  "Run an OpenTofu command, or a program that starts OpenTofu, and "
                                  "follow it: tofud run -- tofu apply");
  const auto followed = stack::streaming_commands();
  line.wraps({followed.begin(), followed.end()});
  add_stream_arguments(app, given->view, given->state_dir);
  app.add_flag("--ui", given->draws, "Draw the apply as a live block instead of tofu's own lines");
  app.add_flag("--untouched", given->keeps_text,
               "Do not follow a command whose text its stream would replace (Terraform, OpenTofu "
               "before 1.12)");
  app.footer("Put -- before the command: tofud run -- tofu apply");
  const int own = own_arguments(argc, argv);
  words command_words;
  for (int i = own + 1; i < argc; ++i) command_words.emplace_back(argv[i]);
  words view_words;
  for (int i = 2; i < own; ++i) view_words.emplace_back(argv[i]);
  app.run = [given, command_words, view_words, &signals] {
    return run_command(*given, command_words, view_words, signals);
  };
}

bool is_shim(const char* program) { return program != nullptr && ui::is_tofu(program); }

int run_shim(int argc, const char* const* argv, const keeper::original_signals& signals) {
  words all{argv, argv + argc};
  const std::string name = std::filesystem::path{all.front()}.filename();
  const auto self = stack::identity_of("/proc/self/exe");
  const std::string path = variable("PATH").value_or("/usr/bin:/bin");
  const std::string next = self ? stack::next_in_path(name, path, *self) : "";
  if (next.empty()) {
    spool::notice("tofud is installed as " + name + ", but no real " + name +
                  " was found later in PATH");
    return 127;
  }
  run_arguments given;
  given.is_shim = true;
  command line{"tofud", ""};
  add_stream_arguments(line, given.view, given.state_dir);
  line.add_flag("--ui", given.draws);
  line.add_flag("--untouched", given.keeps_text);
  const words told = options_of_run();
  ::unsetenv(options_variable);
  if (const std::string wrong = read_words(line, told); !wrong.empty()) {
    spool::notice("no live view: " + wrong);
    return become(next, all, signals);
  }
  // What was typed was tofu: it runs whatever tofud is told.
  if (const auto refusal = redaction::refusal_of_mask_file(given.view.mask_file);
      !refusal.empty()) {
    spool::notice("no live view: " + refusal);
    return become(next, all, signals);
  }
  leave_own_shims(name, *self);
  given.draws = given.draws && ::isatty(STDERR_FILENO) != 0;
  return follow_tofu(next, all, given, signals);
}

}  // namespace tofud::cli
