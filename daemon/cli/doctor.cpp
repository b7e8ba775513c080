#include "daemon/cli/doctor.hpp"

#include "daemon/access/token_file.hpp"
#include "daemon/cli/doctor/findings.hpp"
#include "daemon/cli/doctor/machine.hpp"
#include "daemon/cli/doctor/parent.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/token_place.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/spool/spool_place.hpp"
#include "daemon/stack/program.hpp"
#include "daemon/stack/tofu_version.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/mode.hpp"
#include "daemon/terminal/style.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct doctor_arguments {
  std::string state_dir, listen;
  std::string server;  // given: only this daemon is looked at
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<doctor::program_facts> find_programs() {
  std::vector<doctor::program_facts> found;
  const auto self = stack::identity_of("/proc/self/exe");
  if (!self) return found;
  for (const char* name : {"tofu", "terraform"}) {
    doctor::program_facts program;
    program.path = stack::next_in_path(name, variable("PATH"), *self);
    if (program.path.empty()) continue;
    if (const auto version = stack::ask_version(program.path, "")) {
      program.found = {version->made == stack::product::opentofu, version->major, version->minor,
                       version->name()};
    }
    found.push_back(std::move(program));
  }
  return found;
}

// What would be made if it were chosen: the nearest directory above that there is.
std::string refusal_without_making(std::string directory) {
  for (;;) {
    if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return "";
    const int error = errno;
    const std::size_t slash = directory.rfind('/');
    if (error != ENOENT || slash == std::string::npos || slash == 0) {
      return std::generic_category().message(error);
    }
    directory.resize(slash);
  }
}

std::vector<doctor::place_facts> find_places(const std::string& state_dir) {
  std::vector<doctor::place_facts> found;
  bool chosen = false;
  for (const auto& candidate : spool::place_candidates(state_dir, spool::process_environment())) {
    doctor::place_facts place;
    place.directory = candidate.directory;
    // The first one is opened as a run would do it; more are not made only to be looked at.
    if (!chosen) place.refusal = spool::enter_place(candidate).refusal;
    if (place.refusal.empty()) place.refusal = refusal_without_making(candidate.directory);
    place.asked_for = found.empty() && (!state_dir.empty() || !variable("STATE_DIRECTORY").empty());
    chosen = chosen || place.refusal.empty();
    found.push_back(std::move(place));
  }
  return found;
}

// Binds as a run would, and lets go again.
doctor::listener_facts try_listener(const std::string& wanted) {
  http::listen_address address;
  if (!wanted.empty()) {
    const auto parsed = http::parse_listen_address(wanted);
    if (!parsed) return {"", parsed.error().message};
    address = *parsed;
  }
  boost::asio::io_context io{1};
  http::router none;
  http::listener listener{io, none};
  const auto bound = listener.bind(address);
  if (!bound) return {"", bound.error().message};
  const std::string host = bound->address().to_string();
  return {"http://" + (bound->address().is_v6() ? "[" + host + "]" : host) + ":" +
              std::to_string(bound->port()) + "/",
          ""};
}

std::string_view mode_name(terminal::progress_mode mode) {
  switch (mode) {
    case terminal::progress_mode::tty:
      return "tty";
    case terminal::progress_mode::github:
      return "github";
    case terminal::progress_mode::gitlab:
      return "gitlab";
    default:
      return "plain";
  }
}

doctor::terminal_facts look_at_terminal() {
  doctor::terminal_facts found;
  found.is_terminal = ::isatty(STDOUT_FILENO) != 0;
  found.coloured =
      terminal::wants_colour(terminal::colour_flag::automatic, found.is_terminal, ::getenv);
  found.utf8 = terminal::charset_of(::getenv) == terminal::charset::utf8;
  found.name = variable("TERM");
  winsize size{};
  if (found.is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    found.columns = size.ws_col;
  }
  const auto mode =
      terminal::choose_progress(terminal::progress_flag::automatic, found.is_terminal, ::getenv);
  found.shown_as = mode_name(mode.value_or(terminal::progress_mode::plain));
  return found;
}

std::string ci_name() {
  struct system {
    const char *variable, *name;
  };
  constexpr std::array<system, 8> systems = {{{"GITHUB_ACTIONS", "GitHub Actions"},
                                              {"GITLAB_CI", "GitLab CI"},
                                              {"TF_BUILD", "Azure Pipelines"},
                                              {"CIRCLECI", "CircleCI"},
                                              {"BUILDKITE", "Buildkite"},
                                              {"JENKINS_URL", "Jenkins"},
                                              {"BITBUCKET_BUILD_NUMBER", "Bitbucket Pipelines"},
                                              {"TEAMCITY_VERSION", "TeamCity"}}};
  for (const system& each : systems) {
    if (!variable(each.variable).empty()) return each.name;
  }
  return terminal::in_ci(::getenv) ? "CI" : "";
}

std::vector<doctor::token_facts> ending_tokens(const std::string& state_dir) {
  std::vector<doctor::token_facts> found;
  const std::string file = known_token_file(state_dir);
  const auto known = file.empty() ? access::read_tokens{} : access::read_token_file(file);
  if (!known) return found;
  for (const access::token& each : access::ending_soon(known->all, time_now())) {
    const auto left = *each.expires_at - time_now();
    found.push_back({each.name.empty() ? each.id : each.name,
                     access::to_text(*each.expires_at).substr(0, 10),
                     std::chrono::floor<std::chrono::hours>(left).count() / 24});
  }
  return found;
}

/// Of the token that this user shows to a daemon elsewhere.
std::vector<doctor::finding> look_at_own_token(const client::service& daemon) {
  const auto end = daemon.token_end();
  if (!end || end->empty()) return {};
  return {{doctor::verdict::warning, "token",
           "your token ends " + end->substr(0, 10) + "; ask for its successor"}};
}

std::vector<doctor::finding> look_at_daemon(const std::string& server) {
  doctor::finding found{doctor::verdict::problem, "daemon", ""};
  const auto daemon = daemon_for(server, false, "");
  if (!daemon || !daemon->service) {
    found.sentence = "no daemon was found at " + server;
    return {found};
  }
  const auto readiness = daemon->service->readiness();
  if (!readiness) {
    found.sentence = readiness.error().sentence;
  } else if (!readiness->empty()) {
    found.sentence = daemon->service->at().shown + " is not ready: " + *readiness;
  } else {
    found.verdict = doctor::verdict::ok;
    found.sentence = daemon->service->at().shown + " is ready";
    auto all = look_at_own_token(*daemon->service);
    all.insert(all.begin(), found);
    return all;
  }
  return {found};
}

std::vector<doctor::finding> look_around(const doctor_arguments& given) {
  doctor::facts all;
  all.build = doctor::build_of_this_program();
  all.kernel = doctor::look_at_kernel();
  all.programs = find_programs();
  all.places = find_places(given.state_dir);
  all.listener = try_listener(given.listen);
  all.terminal = look_at_terminal();
  all.ci = ci_name();
  all.parent = doctor::parent_of_this_process();
  all.tokens = ending_tokens(given.state_dir);
  return doctor::judge(all);
}

int run_doctor(const doctor_arguments& given) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  const terminal::style look{
      terminal::wants_colour(terminal::colour_flag::automatic, is_terminal, ::getenv),
      is_terminal ? terminal::charset_of(::getenv) : terminal::charset::utf8};
  constexpr std::size_t verdict_width = 9, about_width = 12;
  std::string text;
  bool healthy = true;
  for (const doctor::finding& each :
       given.server.empty() ? look_around(given) : look_at_daemon(given.server)) {
    using terminal::hue;
    const hue colour = each.verdict == doctor::verdict::ok        ? hue::green
                       : each.verdict == doctor::verdict::warning ? hue::yellow
                                                                  : hue::red;
    std::string verdict{doctor::name(each.verdict)};
    verdict.resize(verdict_width, ' ');
    std::string about = each.about;
    about.resize(about_width, ' ');
    text.append(look.paint(colour, verdict)).append(about);
    text.append(terminal::in_charset(terminal::one_line(each.sentence), look.set)).append("\n");
    healthy = healthy && each.verdict != doctor::verdict::problem;
  }
  files::write_all(STDOUT_FILENO, text);
  return healthy ? 0 : 1;
}

}  // namespace

void add_doctor(command& line) {
  auto given = std::make_shared<doctor_arguments>();
  command& words = line.add_command(
      "doctor",
      "Check whether tofud finds what it needs here; exit status 1 if there is a problem");
  words.add_option("--state-dir", given->state_dir, "State directory to check as well")
      .value("DIR");
  words.add_option("--listen", given->listen, "Address to try to listen on").value("ADDR:PORT");
  words
      .add_option("--server", given->server,
                  "Only ask this daemon whether it is ready: http://HOST:PORT or unix:PATH")
      .value("SERVER");
  words.run = [given] { return run_doctor(*given); };
}

}  // namespace tofud::cli
