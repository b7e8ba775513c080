#include "daemon/cli/history.hpp"

#include "daemon/cli/history_import.hpp"
#include "daemon/cli/history_score.hpp"
#include "daemon/cli/history_source.hpp"
#include "daemon/cli/limits.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/history/limits.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/history_text.hpp"
#include "protocol/history/answer.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct history_arguments {
  history_source source;
  std::string addr, stack, type;
  bool json = false, all = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

history::report_query query_of(const history_arguments& given) {
  history::report_query query;
  query.addr = given.addr;
  query.stack = given.stack;
  query.type = given.type;
  if (given.all) query.limit = limits::history_entries_most;
  return query;
}

std::string text_of(const history::report& found, const history_arguments& given) {
  if (given.json) return history::to_json(found);
  const auto [width, look] = look_of_stdout(given.colour);
  const auto now = std::chrono::system_clock::now();
  const std::size_t most = given.all ? limits::history_entries_most : limits::history_lines;
  const auto lines = given.addr.empty() ? terminal::history_table(found, now, most, width, look)
                                        : terminal::address_history(found, now, look);
  std::string text;
  for (const std::string& each : lines) text.append(each).push_back('\n');
  return text;
}

int run_history(const history_arguments& given) {
  const auto found = report_of(given.source, query_of(given));
  if (!found) return 2;
  if (found->entries.empty() && !given.json) {
    const bool any = given.addr.empty() && given.stack.empty() && given.type.empty();
    spool::notice(any ? "nothing is remembered yet; `tofu apply -json … | tofud` and `tofud run` "
                        "remember, and `tofud history import DIR` reads old streams"
                      : "nothing is remembered of that; `tofud history` lists what is");
    return 0;
  }
  if (!files::write_all(STDOUT_FILENO, text_of(*found, given))) return 1;
  if (given.json || !given.addr.empty()) return 0;
  if (given.all && found->more) spool::notice("and more; --stack or --type list fewer");
  if (!given.all && found->entries.size() > limits::history_lines)
    spool::notice("and more; --all lists them");
  return 0;
}

}  // namespace

void add_history(command& line) {
  auto given = std::make_shared<history_arguments>();
  command& words = line.add_command(
      "history", "Show how long operations usually take, how they ended, and who changed what");
  words.add_option("ADDRESS", given->addr, "Only this resource, such as aws_db_instance.main");
  words.add_option("--stack", given->stack, "Only this stack").value("STACK");
  words.add_option("--type", given->type, "Only resources of this type").value("TYPE");
  words.add_flag("--json", given->json, "Print the answer of GET /v1/history");
  words.add_flag("--all", given->all,
                 "List up to " + std::to_string(limits::history_entries_most) +
                     " entries (default: " + std::to_string(limits::history_lines) + ")");
  add_history_source(words, given->source);
  add_colour_argument(words, given->colour);
  words.run = [given] { return run_history(*given); };
  add_history_import(words);
  add_history_score(words);
}

}  // namespace tofud::cli
