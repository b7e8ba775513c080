#include "daemon/cli/config.hpp"

#include "daemon/cli/config_sources.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/settings/show.hpp"

#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct config_arguments {
  std::vector<std::string> files;
  std::string config;
  bool origin = false, standard = false;
};

int print(const std::string& text) { return files::write_all(STDOUT_FILENO, text) ? 0 : 1; }

int check(const config_arguments& given) {
  const auto said = given.files.empty() ? read_config("", {}, spool::process_environment())
                                        : read_files(given.files);
  if (!understand(said)) return 1;
  if (said.from.files.empty()) return print("there is no configuration file, and no mistake\n");
  std::string lines;
  for (const auto& each : said.from.files) lines += each.path + ": ok\n";
  return print(lines);
}

int show(const config_arguments& given) {
  if (given.standard) return print(settings::show_defaults());
  const auto now = understand(read_config(given.config, {}, spool::process_environment()));
  if (!now) return 1;
  return print(settings::show(
      *now, given.origin ? settings::with_origins::yes : settings::with_origins::no));
}

}  // namespace

void add_config(command& line) {
  auto given = std::make_shared<config_arguments>();
  command& words = line.add_command("config", "Check and show the configuration of tofud serve");
  command& checked = words.add_command("check",
                                       "Check the configuration: print each mistake as "
                                       "FILE:LINE:COLUMN; exit status 1 if there is one");
  checked
      .add_option("FILE", given->files,
                  "Files to check (default: the environment and the files that tofud serve reads)")
      .value("");
  checked.run = [given] { return check(*given); };
  command& shown = words.add_command("show", "Print every option with its current value, as TOML");
  shown.add_option("--config", given->config, "Read only this file ($TOFUD_CONFIG)").value("FILE");
  option& origin =
      shown.add_flag("--origin", given->origin, "Also print where each value comes from");
  shown
      .add_flag("--default", given->standard,
                "Print a file with every option and its meaning, commented out")
      .excludes(origin);
  shown.run = [given] { return show(*given); };
}

}  // namespace tofud::cli
