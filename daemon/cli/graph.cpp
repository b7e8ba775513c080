#include "daemon/cli/graph.hpp"

#include "daemon/cli/graph_check.hpp"
#include "daemon/cli/order_sources.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/order/drawing.hpp"
#include "protocol/order/progress.hpp"

#include <memory>
#include <string>
#include <unistd.h>

namespace tofud::cli {
namespace {

struct graph_arguments {
  order_files from;
  std::string check;
  bool json = false, dot = false, mermaid = false;
};

/// Each operation with what it waits for at the beginning, many of one block as the block.
std::string list_text(const order::order& of) {
  const order::progress begun{of};
  std::string text;
  for (const order::vertex each : of.operations()) {
    text.append(name_of(*of.at(each)));
    const auto waits = blockers(of, begun.waits_for(each));
    for (std::size_t i = 0; i < waits.size(); ++i)
      text.append(i == 0 ? "  after " : ", ").append(waits[i]);
    text.push_back('\n');
  }
  return terminal::sanitize(text, terminal::colours::strip);
}

int run_graph(const graph_arguments& given) {
  order_sources sources;
  if (!read_sources(given.from, sources)) return 2;
  const order::order made = order_of(sources);
  if (!given.check.empty()) return check_stream(made, given.check);
  const std::string text = given.json      ? to_json(made)
                           : given.dot     ? to_dot(made)
                           : given.mermaid ? to_mermaid(made)
                                           : list_text(made);
  return files::write_all(STDOUT_FILENO, text) ? 0 : 1;
}

}  // namespace

void add_graph(command& line) {
  auto given = std::make_shared<graph_arguments>();
  command& words = line.add_command(
      "graph", "Print what an apply does after what, by its configuration, plan and state");
  words
      .add_option("DIR", given->from.directory,
                  "Directory of the root module (default: the current one)")
      .value("");
  words
      .add_option("--plan", given->from.plan,
                  "What `tofu show -json PLANFILE` printed: its operations are listed. Without it, "
                  "every block is, as if all were created")
      .value("FILE");
  words
      .add_option("--state", given->from.state,
                  "The state file before the apply: it says what is created before it is destroyed")
      .value("FILE");
  auto& json = words.add_flag("--json", given->json, "Print JSON, for programs");
  auto& dot = words.add_flag("--dot", given->dot, "Print DOT, for Graphviz");
  auto& mermaid = words.add_flag("--mermaid", given->mermaid, "Print a Mermaid flowchart");
  json.excludes(dot);
  json.excludes(mermaid);
  dot.excludes(mermaid);
  words
      .add_option("--check", given->check,
                  "Read the stream of an apply, and say where it did not go by this order")
      .value("STREAM");
  words.run = [given] {
    ends_with_its_reader();
    return run_graph(*given);
  };
}

}  // namespace tofud::cli
