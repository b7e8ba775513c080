#include "tests/causality/recorded_apply.hpp"

#include "daemon/attachments/configuration_files.hpp"
#include "protocol/json/document.hpp"
#include "protocol/order/plan_configuration.hpp"
#include "protocol/order/planned.hpp"
#include "protocol/plan/plan.hpp"
#include "tests/paths.hpp"
#include "tests/scratch_directory.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

namespace tofud::test {
namespace {

namespace fs = std::filesystem;
using json::value;
using tests::read_file;

/// Addresses that a stream plans something for.
std::set<std::string> owed_in(const std::string& stream) {
  std::set<std::string> all;
  std::istringstream lines{stream};
  json::document_parser parser{json::keep_everything};
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"planned_change\"") == std::string::npos || parser.parse(line)) continue;
    all.emplace(parser.root()["change"]["resource"]["addr"].string().value_or(""));
  }
  return all;
}

/// The operation that a vertex of the program's graph is; nothing: it is looked through.
std::optional<order::operation> operation_of(const std::string& name, std::string_view type,
                                             const recorded_apply& of) {
  const auto planned = [&](const std::string& address) -> const order::planned_object* {
    for (const auto& each : of.planned) {
      if (each.address == address) return &each;
    }
    return nullptr;
  };
  if (type == "NodeApplyableResourceInstance") {
    const auto* object = planned(name);
    if (object != nullptr && object->makes)
      return order::operation{name, order::effect::make, "", "create"};
    return std::nullopt;
  }
  const std::size_t destroy = name.rfind(" (destroy");
  if (!type.starts_with("NodeDestroy") || destroy == std::string::npos) return std::nullopt;
  const std::string address = name.substr(0, destroy);
  std::string key;
  if (const std::size_t deposed = name.find("deposed ", destroy); deposed != std::string::npos)
    key = name.substr(deposed + 8, name.size() - deposed - 9);
  const auto* object = planned(address);
  if (object == nullptr) return std::nullopt;
  const bool is_left_over =
      std::find(object->deposed.begin(), object->deposed.end(), key) != object->deposed.end();
  return order::operation{address, order::effect::remove, is_left_over ? key : "", "delete"};
}

void read_oracle(recorded_apply& into, const std::string& text) {
  json::document_parser parser{json::keep_everything};
  std::string_view trimmed = text;
  while (trimmed.ends_with('\n')) trimmed.remove_suffix(1);
  if (parser.parse(trimmed)) throw std::runtime_error{"an oracle that is no JSON"};
  const value graph = parser.root()["graph"];
  for (const value vertex : graph) {
    const std::string name{vertex.key()};
    std::string type;
    for (const value first : vertex) {
      type = first.string().value_or("");
      break;
    }
    const auto what = operation_of(name, type, into);
    into.oracle_names[name] = what ? into.oracle.add(*what) : into.oracle.add_hub();
  }
  for (const value vertex : graph) {
    for (const value part : vertex) {
      for (const value needed : part) {
        const auto before = into.oracle_names.find(std::string{needed.string().value_or("")});
        if (before == into.oracle_names.end()) continue;
        into.oracle.connect(before->second, into.oracle_names.at(std::string{vertex.key()}),
                            order::origin::plan);
      }
    }
  }
  for (const value wait : parser.root()["waits"]) {
    std::vector<std::string> texts;
    for (const value each : wait) texts.emplace_back(each.string().value_or(""));
    into.waits.emplace(texts.at(1), texts.at(2));
  }
  for (const value skip : parser.root()["skips"]) into.skips.emplace(skip.string().value_or(""));
}

}  // namespace

std::string recording_folder(const std::string& name) {
  const char* elsewhere = std::getenv("TOFUD_CAUSALITY");  // more of them, made at random
  return (elsewhere == nullptr ? CAUSALITY : std::string{elsewhere}) + "/" + name + "/";
}

std::vector<hook> hooks_in(const std::string& stream) {
  std::vector<hook> all;
  std::istringstream lines{stream};
  json::document_parser parser{json::keep_everything};
  for (std::string line; std::getline(lines, line);) {
    if (parser.parse(line)) continue;
    const value root = parser.root();
    const auto type = root["type"].string().value_or("");
    hook each;
    if (type == "apply_start")
      each.what = hook::kind::start;
    else if (type == "apply_complete")
      each.what = hook::kind::complete;
    else if (type == "apply_errored")
      each.what = hook::kind::errored;
    else
      continue;
    each.address = root["hook"]["resource"]["addr"].string().value_or("");
    each.effect =
        root["hook"]["action"].string() == "delete" ? order::effect::remove : order::effect::make;
    all.push_back(std::move(each));
  }
  return all;
}

std::vector<std::string> recorded_applies() {
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator{recording_folder("")})
    names.push_back(each.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

recorded_apply read_stream(const fs::path& folder, const std::string& stream) {
  recorded_apply made;
  const std::string text = read_file(folder / "plan.json");
  const auto plan = plan::read(text);
  made.planned = order::planned_in(*plan);
  made.prior = order::read_prior_state(*plan);
  made.plan_config = order::configuration_in(*plan);
  const auto config = attachments::read_from_disk(folder / "config");
  made.config = *attachments::config_facts::read(attachments::to_json(config));
  if (plan->made_by() == plan::product::opentofu)
    made.program_waits = order::waiting_by::module_instance;
  const std::string lines = read_file(folder / stream);
  made.hooks = hooks_in(lines);
  const auto owed = owed_in(lines);
  if (!owed.empty())
    std::erase_if(made.planned, [&](const auto& each) { return !owed.contains(each.address); });
  return made;
}

recorded_apply read_apply(const std::string& name) {
  const std::string folder = recording_folder(name);
  recorded_apply made = read_stream(folder, "stream.jsonl");
  if (fs::exists(folder + "state.json"))
    made.state = *order::read_state_file(read_file(folder + "state.json"));
  read_oracle(made, read_file(folder + "oracle.json"));
  return made;
}

std::string name_of(const order::operation& what) {
  return (what.what == order::effect::make ? "make " : "remove ") + what.address +
         (what.deposed.empty() ? "" : " deposed " + what.deposed);
}

}  // namespace tofud::test
