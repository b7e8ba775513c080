#include "protocol/redact/order_of_plan.hpp"

#include "protocol/json/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/plan/configuration.hpp"

#include <string_view>

namespace tofud::redact {
namespace {

using json::append_quoted;
using json::kind;
using json::value;

/// `{"a":…,"b":…}` or `[…]`, a member at a time.
class members {
 public:
  members(std::string& out, char begin, char end) : out_{out}, end_{end} { out_.push_back(begin); }
  members(const members&) = delete;
  members& operator=(const members&) = delete;
  ~members() { out_.push_back(end_); }

  std::string& next() {
    if (!first_) out_.push_back(',');
    first_ = false;
    return out_;
  }
  std::string& next(std::string_view name) {
    append_quoted(next(), name);
    out_.push_back(':');
    return out_;
  }
  void text(std::string_view name, std::string_view said) {
    if (!said.empty()) append_quoted(next(name), said);
  }

 private:
  std::string& out_;
  char end_;
  bool first_ = true;
};

void append_state_resource(std::string& out, value from) {
  members made{out, '{', '}'};
  for (const std::string_view name :
       {"address", "mode", "type", "name", "index", "provider_name", "deposed_key"}) {
    const value each = from[name];
    if (each.is(kind::string) || each.is(kind::number)) each.append_json(made.next(name));
  }
  if (!from["depends_on"].is(kind::array)) return;
  members on{made.next("depends_on"), '[', ']'};
  for (const value each : from["depends_on"]) {
    if (each.is(kind::string)) each.append_json(on.next());
  }
}

// NOLINTNEXTLINE(misc-no-recursion): limits::json_depth bounds it
void append_state_module(std::string& out, value from) {
  members made{out, '{', '}'};
  made.text("address", from["address"].string().value_or(""));
  if (from["resources"].is(kind::array)) {
    members all{made.next("resources"), '[', ']'};
    for (const value each : from["resources"]) {
      if (!each["address"].is(kind::string)) continue;
      append_state_resource(all.next().append("\n"), each);
    }
  }
  if (!from["child_modules"].is(kind::array)) return;
  members all{made.next("child_modules"), '[', ']'};
  for (const value each : from["child_modules"]) append_state_module(all.next(), each);
}

/// A list of one each: of several in one list some would be the way to others.
void append_references(std::string& out, const plan::references& all) {
  members lists{out, '[', ']'};
  for (const std::string& each : all) {
    append_quoted(lists.next().append(R"({"references":[)"), each);
    out.append("]}");
  }
}

class configuration_writing {
 public:
  configuration_writing(std::string& out, const plan::configuration& from)
      : out_{out}, from_{from} {}

  void append() {
    members made{out_, '{', '}'};
    if (!from_.providers.empty()) {
      members all{made.next("provider_config"), '{', '}'};
      for (const auto& [key, provider] : from_.providers) append(all.next(key), provider);
    }
    made.next("root_module");
    append_module("", 0);
  }

 private:
  static void append(std::string& out, const plan::configured_provider& from) {
    members made{out, '{', '}'};
    made.text("name", from.name);
    made.text("full_name", from.full_name);
    made.text("alias", from.alias);
    made.text("module_address", from.module_address);
    if (!from.refers_to.empty()) append_references(made.next("expressions"), from.refers_to);
  }

  static void append(std::string& out, const plan::configured_resource& from) {
    members made{out, '{', '}'};
    made.text("address", from.address);
    made.text("mode", from.mode);
    made.text("type", from.type);
    made.text("name", from.name);
    made.text("provider_config_key", from.provider_config_key);
    if (!from.refers_to.empty()) append_references(made.next("expressions"), from.refers_to);
  }

  // NOLINTNEXTLINE(misc-no-recursion): limits::module_depth bounds it
  void append_call(std::string& out, const plan::configured_call& from, const std::string& path,
                   std::size_t depth) {
    members made{out, '{', '}'};
    if (!from.refers_to.empty()) append_references(made.next("count_expression"), from.refers_to);
    if (!from.arguments.empty()) {
      members all{made.next("expressions"), '{', '}'};
      for (const auto& [name, references] : from.arguments)
        append_references(all.next(name), references);
    }
    made.next("module");
    append_module((path.empty() ? "" : path + ".") + "module." + std::string{from.name}, depth + 1);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  void append_module(const std::string& path, std::size_t depth) {
    members made{out_, '{', '}'};
    const auto found = from_.modules.find(path);
    if (found == from_.modules.end()) return;
    const plan::configured_module& from = found->second;
    if (!from.resources.empty()) {
      members all{made.next("resources"), '[', ']'};
      for (const auto& each : from.resources) append(all.next().append("\n"), each);
    }
    if (!from.outputs.empty()) {
      members all{made.next("outputs"), '{', '}'};
      for (const auto& each : from.outputs) {
        members output{all.next(each.name), '{', '}'};
        append_references(output.next("expression"), each.refers_to);
      }
    }
    if (!from.variables.empty()) {
      members all{made.next("variables"), '{', '}'};
      for (const auto& each : from.variables) all.next(each.name).append("{}");
    }
    if (from.calls.empty()) return;
    members all{made.next("module_calls"), '{', '}'};
    for (const auto& each : from.calls) append_call(all.next(each.name), each, path, depth);
  }

  std::string& out_;
  const plan::configuration& from_;
};

void append_prior_state(std::string& out, std::string_view text) {
  if (text.empty()) return;
  plan::part parsed;
  if (parsed.parse(text, "prior_state")) return;
  const value root = parsed.root()["values"]["root_module"];
  if (!root.is(kind::object)) return;
  out.append(",\n\"prior_state\":{\"format_version\":\"1.0\",\"values\":{\"root_module\":");
  append_state_module(out, root);
  out.append("}}");
}

void append_configuration(std::string& out, std::string_view text) {
  if (text.empty()) return;
  plan::part parsed;
  if (parsed.parse(text, "configuration")) return;
  const auto read = plan::read_configuration(parsed.root());
  if (!read || read->modules.empty()) return;
  out.append(",\n\"configuration\":");
  configuration_writing{out, *read}.append();
}

}  // namespace

void append_order(std::string& out, const plan::document& from) {
  append_prior_state(out, from.prior_state);
  append_configuration(out, from.configuration);
}

}  // namespace tofud::redact
