#include "daemon/cli/blocks.hpp"

#include "daemon/attachments/configuration_files.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/config/configuration.hpp"
#include "protocol/text/characters.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::cli {
namespace {

struct blocks_arguments {
  std::string directory = ".";
  bool json = false;
};

struct listed {
  std::string address, at, said;
};

bool print(int to, std::string_view text) {
  return files::write_all(to, terminal::sanitize(text, terminal::colours::strip));
}

config::configuration read(const std::string& directory) {
  const char* data = std::getenv("TF_DATA_DIR");
  return attachments::read_from_disk(directory, data == nullptr ? "" : data);
}

/// As in OpenTofu's addresses: the path of the module first.
std::vector<listed> list(const config::configuration& all) {
  std::vector<listed> lines;
  for (const auto& [path, source] : all.modules) {
    for (const auto& [address, block] : source->blocks) {
      std::string whole = path;
      if (!path.empty()) whole.push_back('.');
      lines.push_back({whole.append(address), to_string(block.at), to_string(block.said)});
    }
  }
  return lines;
}

/// Places stand below one another, unless an address is very long.
std::string columns(const std::vector<listed>& all) {
  constexpr std::size_t widest = 60;
  std::size_t room = 0;
  for (const listed& each : all)
    room = std::max(room, std::min(widest, text::count_characters(each.address)));
  std::string text;
  for (const listed& each : all) {
    const std::size_t taken = text::count_characters(each.address);
    text.append(each.address).append(taken < room ? room - taken + 2 : 2, ' ').append(each.at);
    if (!each.said.empty()) text.append("  ").append(each.said);
    text.push_back('\n');
  }
  return text;
}

/// Lines such as `FILE:LINE:COLUMN: WHAT`, as a compiler has them.
void print_problems(const config::configuration& of) {
  std::string lines;
  for (const config::problem& each : of.problems)
    lines.append(to_string(each.where)).append(": ").append(each.what).push_back('\n');
  print(STDERR_FILENO, lines);
  if (of.problems_left_out > 0)
    spool::notice("there are " + std::to_string(of.problems_left_out) + " more problems");
}

int run_blocks(const blocks_arguments& given) {
  std::error_code failed;
  if (!std::filesystem::is_directory(given.directory, failed)) {
    spool::notice("can't read " + given.directory + ": " +
                  (failed ? failed.message() : "it is not a directory"));
    return 1;
  }
  const config::configuration all = read(given.directory);
  print_problems(all);
  const auto lines = list(all);
  const bool went = given.json ? files::write_all(STDOUT_FILENO, attachments::to_json(all))
                               : print(STDOUT_FILENO, columns(lines));
  if (lines.empty() && all.problems.empty()) {
    spool::notice("no configuration is in " + given.directory +
                  "; name the directory of the root module");
    return 1;
  }
  return went && all.problems.empty() ? 0 : 1;
}

}  // namespace

void add_blocks(command& line) {
  auto given = std::make_shared<blocks_arguments>();
  command& words =
      line.add_command("blocks", "Print where each block of a configuration is: file:line:column");
  words
      .add_option("DIR", given->directory,
                  "Directory of the root module (default: the current one)")
      .value("");
  words.add_flag(
      "--json", given->json,
      "Print a JSON document with provisioners, references, create_before_destroy and annotations");
  words.footer("Modules are read from where `tofu init` put them ($TF_DATA_DIR if it is set).");
  words.run = [given] {
    ends_with_its_reader();
    return run_blocks(*given);
  };
}

}  // namespace tofud::cli
