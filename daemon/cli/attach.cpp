#include "daemon/cli/attach.hpp"

#include "daemon/attachments/attach.hpp"
#include "daemon/attachments/attachments_preparing.hpp"
#include "daemon/attachments/background_process.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

/// To make something of what is there when the programs have had their time.
constexpr std::chrono::seconds for_the_rest{30};

struct attach_arguments {
  attachments::wanted what;
  std::chrono::seconds patience = limits::attachment_wait - for_the_rest;  // with the programs
};

void say(std::string line) {
  line = terminal::sanitize(line, terminal::colours::strip);
  std::replace(line.begin(), line.end(), '\n', ' ');
  files::write_all(STDOUT_FILENO, line + "\n");
}

/// The programs that are started here are asked a question; what is meant for the user's own
/// command is not for them.
void prepare_environment() {
  std::vector<std::string> unwanted;
  for (char** each = ::environ; *each != nullptr; ++each) {
    const std::string_view entry{*each};
    if (entry.starts_with("TF_CLI_ARGS") || entry.starts_with("TF_LOG"))
      unwanted.emplace_back(entry.substr(0, entry.find('=')));
  }
  for (const std::string& name : unwanted) ::unsetenv(name.c_str());
  ::setenv("TF_IN_AUTOMATION", "1", 1);
  ::setenv("CHECKPOINT_DISABLE", "1", 1);
  ::setenv("TOFUD", "off", 1);  // a shim is only in the way
}

/// False: it can't go to the program's directory; that was said.
bool enter(attachments::wanted& what) {
  for (std::string* path : {&what.spool, &what.plan, &what.own_schemas, &what.config,
                            &what.found.plan, &what.found.cache, &what.found.directory}) {
    if (!path->empty()) *path = std::filesystem::absolute(*path);
  }
  for (std::string& path : what.schemas) path = std::filesystem::absolute(path);
  if (what.found.plan.empty() || what.found.directory.empty()) return true;
  if (::chdir(what.found.directory.c_str()) == 0) return true;
  say("note the saved plan is not attached: can't go to " + what.found.directory + ": " +
      std::strerror(errno));
  return false;
}

int run_attach(attach_arguments& given) {
  const auto until = std::chrono::steady_clock::now() + given.patience;
  attachments::become_background(given.patience + for_the_rest);
  prepare_environment();
  if (!enter(given.what)) given.what.found = {};
  attachments::attach(given.what, until,
                      {[](feed::attachment part) { say(std::string{feed::name(part)}); },
                       [](const std::string& sentence) { say("note " + sentence); }});
  attachments::end_background_children();
  return 0;
}

}  // namespace

void add_attach(command& line) {
  auto given = std::make_shared<attach_arguments>();
  command& words = line.add_command(attachments::attach_argument, "");
  words.hide();
  words.add_option("--spool", given->what.spool).required();
  words.add_option("--plan", given->what.plan);
  words.add_option("--schemas", given->what.schemas).one_each();
  words.add_option("--own-schemas", given->what.own_schemas);
  words.add_option("--config", given->what.config);
  words.add_option("--data-dir", given->what.data_directory);
  words.add_option("--saved-plan", given->what.found.plan);
  words.add_option("--program", given->what.found.program);
  words.add_option("--directory", given->what.found.directory);
  words.add_option("--chdir", given->what.found.chdir);
  words.add_option("--cache", given->what.found.cache);
  words.read_number("--patience",
                    [given](unsigned seconds) { given->patience = std::chrono::seconds{seconds}; });
  words.run = [given] { return run_attach(*given); };
}

}  // namespace tofud::cli
