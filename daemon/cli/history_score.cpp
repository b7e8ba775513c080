#include "daemon/cli/history_score.hpp"

#include "daemon/cli/history_source.hpp"
#include "daemon/cli/run_argument.hpp"
#include "daemon/cli/view_arguments.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/history_text.hpp"
#include "protocol/history/answer.hpp"

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct score_arguments {
  history_source source;
  std::string stack;
  bool json = false;
  terminal::colour_flag colour = terminal::colour_flag::automatic;
};

int run_score(const score_arguments& given) {
  history::report_query query;
  query.stack = given.stack;
  query.limit = 1;  // operations are not asked about
  const auto found = report_of(given.source, query);
  if (!found) return 2;
  std::string text;
  if (given.json) {
    text = history::to_json(found->score);
  } else if (found->score.empty()) {
    spool::notice(
        "nothing was estimated yet; an apply is estimated where its plan or configuration is known "
        "and half of its operations are remembered");
    return 0;
  } else {
    const auto [width, look] = look_of_stdout(given.colour);
    for (const std::string& each : terminal::score_table(found->score, width, look))
      text.append(each).push_back('\n');
  }
  return files::write_all(STDOUT_FILENO, text) ? 0 : 1;
}

}  // namespace

void add_history_score(command& history) {
  auto given = std::make_shared<score_arguments>();
  command& words = history.add_command(
      "score",
      "Show how far estimates of the remaining time were off, and how many runs were over "
      "by the times they named");
  words.add_option("--stack", given->stack, "Only this stack").value("STACK");
  words.add_flag("--json", given->json, "Print the member `score` of GET /v1/history");
  add_history_source(words, given->source);
  add_colour_argument(words, given->colour);
  words.run = [given] { return run_score(*given); };
}

}  // namespace tofud::cli
