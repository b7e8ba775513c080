#include "daemon/cli/order_sources.hpp"

#include "daemon/attachments/configuration_files.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/plan_configuration.hpp"
#include "protocol/order/planned.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace tofud::cli {
namespace {

bool refuse_source(const std::string& sentence) {
  spool::notice(sentence);
  return false;
}

bool read_configuration(const order_files& given, order_sources& into) {
  const std::string directory = given.directory.empty() ? "." : given.directory;
  std::error_code failed;
  if (!std::filesystem::is_directory(directory, failed))
    return refuse_source("can't read " + directory + ": " +
                         (failed ? failed.message() : "it is not a directory"));
  const char* data = std::getenv("TF_DATA_DIR");
  const config::configuration all =
      attachments::read_from_disk(directory, data == nullptr ? "" : data);
  for (const config::problem& each : all.problems)
    spool::notice(to_string(each.where) + ": " + each.what);
  auto facts = attachments::config_facts::read(attachments::to_json(all));
  if (!facts) return refuse_source(facts.error().text());
  into.config = std::move(*facts);
  if (!into.config.blocks().empty()) return true;
  if (given.plan.empty() || !given.directory.empty())
    return refuse_source("no configuration is in " + directory +
                         "; name the directory of the root module");
  return true;
}

bool read_plan(const order_files& given, order_sources& into) {
  if (given.plan.empty()) return true;
  auto text = files::read_document(given.plan, limits::plan_document_bytes);
  if (!text) return refuse_source(text.error().text());
  into.plan_text = std::move(*text);
  const auto plan = plan::read(into.plan_text);
  if (!plan)
    return refuse_source(files::name_of_file(given.plan) + ": " + plan.error().text() +
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

bool read_state(const order_files& given, order_sources& into) {
  if (given.state.empty()) return true;
  const auto text = files::read_document(given.state, limits::plan_document_bytes);
  if (!text) return refuse_source(text.error().text());
  const auto state = order::read_state_file(*text);
  if (!state)
    return refuse_source(files::name_of_file(given.state) + ": " + state.error().text() +
                         "; use the state file, or the output of `tofu state pull`");
  into.known = order::merged(std::move(into.known), *state);
  return true;
}

}  // namespace

bool read_sources(const order_files& given, order_sources& into) {
  return read_configuration(given, into) && read_plan(given, into) && read_state(given, into);
}

bool read_order(const plan::document& plan, const std::string& directory, order_sources& into) {
  into.plan = plan;
  into.known = order::read_prior_state(plan);
  if (!directory.empty()) return read_configuration({directory, "", ""}, into);
  into.config = order::configuration_in(plan);
  return true;
}

order::order order_of(const order_sources& from) {
  order::facts known{&from.config, &from.known};
  // Without a plan nobody knows whose it will be: what both do.
  if (!from.plan || from.plan->made_by() == plan::product::opentofu)
    known.waits = order::waiting_by::module_instance;
  return order::build(from.plan ? order::planned_in(*from.plan) : order::blocks_of(from.config),
                      known);
}

}  // namespace tofud::cli
