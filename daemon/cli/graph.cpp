#include "daemon/cli/graph.hpp"

#include "daemon/attachments/configuration_files.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/cli/graph_check.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/spool/notice.hpp"
#include "daemon/terminal/sanitize.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/drawing.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/order/plan_configuration.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/order/progress.hpp"
#include "protocol/plan/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct graph_arguments {
  std::string directory, plan, state, check;
  bool json = false, dot = false, mermaid = false;
};

/// What all of it is made of; texts that parts are views into live as long.
struct graph_sources {
  std::string plan_text;
  std::optional<plan::document> plan;
  attachments::config_facts config;
  order::known_objects known;
};

bool refuse_graph(const std::string& sentence) {
  spool::notice(sentence);
  return false;
}

bool read_configuration(const graph_arguments& given, graph_sources& into) {
  const std::string directory = given.directory.empty() ? "." : given.directory;
  std::error_code failed;
  if (!std::filesystem::is_directory(directory, failed))
    return refuse_graph("can't read " + directory + ": " +
                        (failed ? failed.message() : "it is not a directory"));
  const char* data = std::getenv("TF_DATA_DIR");
  const config::configuration all =
      attachments::read_from_disk(directory, data == nullptr ? "" : data);
  for (const config::problem& each : all.problems)
    spool::notice(to_string(each.where) + ": " + each.what);
  auto facts = attachments::config_facts::read(attachments::to_json(all));
  if (!facts) return refuse_graph(facts.error().text());
  into.config = std::move(*facts);
  if (!into.config.blocks().empty()) return true;
  if (given.plan.empty() || !given.directory.empty())
    return refuse_graph("no configuration is in " + directory +
                        "; name the directory of the root module");
  return true;
}

bool read_plan(const graph_arguments& given, graph_sources& into) {
  if (given.plan.empty()) return true;
  auto text = files::read_document(given.plan, limits::plan_document_bytes);
  if (!text) return refuse_graph(text.error().text());
  into.plan_text = std::move(*text);
  const auto plan = plan::read(into.plan_text);
  if (!plan)
    return refuse_graph(files::name_of_file(given.plan) + ": " + plan.error().text() +
                        "; use the output of `tofu show -json PLANFILE`");
  into.plan = *plan;
  into.known = order::read_prior_state(*into.plan);
  if (!into.config.blocks().empty()) return true;
  into.config = order::configuration_in(*into.plan);
  spool::notice(
      "no configuration is here: the order is that of the plan alone, which does not tell "
      "what goes through locals; name the directory of the root module for all of it");
  return true;
}

bool read_state(const graph_arguments& given, graph_sources& into) {
  if (given.state.empty()) return true;
  const auto text = files::read_document(given.state, limits::plan_document_bytes);
  if (!text) return refuse_graph(text.error().text());
  const auto state = order::read_state_file(*text);
  if (!state)
    return refuse_graph(files::name_of_file(given.state) + ": " + state.error().text() +
                        "; use the state file, or the output of `tofu state pull`");
  into.known = order::merged(std::move(into.known), *state);
  return true;
}

order::order order_of(const graph_sources& from) {
  order::facts known{&from.config, &from.known};
  // Without a plan nobody knows whose it will be: what both do.
  if (!from.plan || from.plan->made_by() == plan::product::opentofu)
    known.waits = order::waiting_by::module_instance;
  return order::build(from.plan ? order::planned_in(*from.plan) : order::blocks_of(from.config),
                      known);
}

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
  graph_sources sources;
  if (!read_configuration(given, sources) || !read_plan(given, sources) ||
      !read_state(given, sources))
    return 2;
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
      .add_option("DIR", given->directory,
                  "Directory of the root module (default: the current one)")
      .value("");
  words
      .add_option("--plan", given->plan,
                  "What `tofu show -json PLANFILE` printed: its operations are listed. Without it, "
                  "every block is, as if all were created")
      .value("FILE");
  words
      .add_option("--state", given->state,
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
