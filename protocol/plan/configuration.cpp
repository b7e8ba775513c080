#include "protocol/plan/configuration.hpp"

#include "protocol/config/limits.hpp"
#include "protocol/config/targets.hpp"
#include "protocol/json/limits.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tofud::plan {
namespace {

using json::kind;
using json::value;

std::string_view text(value from, std::string_view name) {
  return from[name].string().value_or("");
}

bool is_absent(value from) { return !from || from.is(kind::null); }

/// Of one list OpenTofu writes the whole way to what is meant and then each shorter one:
/// `a.b[0].id`, `a.b[0]`, `a.b`.
class gathering {
 public:
  void add_list(value from) {
    std::set<std::string> here;
    for (const value each : from) {
      if (const auto way = each.string())
        config::find_targets(*way, config::lexed_as::body, {}, config::quoted_as::text,
                             [&](std::string_view target) { here.emplace(target); });
    }
    for (auto each = here.begin(); each != here.end(); ++each) {
      // An output of a module stands before the module, an instance before its resource.
      const auto longer = std::next(each);
      const bool is_way = longer != here.end() &&
                          ((each->starts_with("module.") && longer->starts_with(*each + ".")) ||
                           longer->starts_with(*each + "["));
      if (!is_way && known_.insert(*each).second) found_.push_back(*each);
    }
  }

  /// Every `references` in expressions, which nest as blocks do.
  void add_all(value from) {  // NOLINT(misc-no-recursion): limits::json_depth bounds it
    for (const value each : from) {
      if (from.is(kind::object) && each.key() == "references" && each.is(kind::array))
        add_list(each);
      else
        add_all(each);
    }
  }

  references take() { return std::move(found_); }

 private:
  std::set<std::string> known_;
  references found_;
};

references references_of(value from, std::initializer_list<std::string_view> members) {
  gathering all;
  for (const std::string_view name : members) {
    if (name == "depends_on")
      all.add_list(from[name]);
    else
      all.add_all(from[name]);
  }
  return all.take();
}

class configuration_reader {
 public:
  result<configuration> read(value from, const std::string& path) {
    if (is_absent(from)) return std::move(made_);
    if (!from.is(kind::object)) return failure{error::no_object, path};
    for (const value each : from["provider_config"]) {
      made_.providers.insert_or_assign(
          std::string{each.key()},
          configured_provider{text(each, "name"), text(each, "full_name"), text(each, "alias"),
                              text(each, "version_constraint"), text(each, "module_address"),
                              references_of(each, {"expressions"})});
    }
    if (auto wrong = module(from["root_module"], "", path + ".root_module", 0))
      return std::move(*wrong);
    return std::move(made_);
  }

 private:
  std::optional<failure> module(value from,
                                const std::string& address,  // NOLINT(misc-no-recursion)
                                const std::string& path, std::size_t depth) {
    if (is_absent(from)) return {};
    if (!from.is(kind::object)) return failure{error::no_object, path};
    if (depth > limits::module_depth) return failure{error::too_deep, path};
    configured_module made;
    std::size_t i = 0;
    for (const value each : from["resources"]) {
      const std::string at = path + ".resources[" + std::to_string(i++) + "]";
      if (!each["address"].string()) return failure{error::no_string, at + ".address"};
      made.resources.push_back(resource(each));
    }
    for (const value each : from["outputs"])
      made.outputs.push_back({each.key(), each["sensitive"].is(kind::boolean_true),
                              references_of(each, {"expression", "depends_on"})});
    for (const value each : from["variables"])
      made.variables.push_back(
          {each.key(), each["sensitive"].is(kind::boolean_true), each["default"]});
    for (const value each : from["module_calls"]) {
      made.calls.push_back(call(each));
      std::string called = address.empty() ? "" : address + ".";
      called.append("module.").append(each.key());
      auto wrong = module(each["module"], called,
                          path + ".module_calls." + std::string{each.key()} + ".module", depth + 1);
      if (wrong) return wrong;
    }
    made_.modules.insert_or_assign(address, std::move(made));
    return {};
  }

  static configured_resource resource(value from) {
    configured_resource made;
    made.address = text(from, "address");
    made.mode = text(from, "mode");
    made.type = text(from, "type");
    made.name = text(from, "name");
    made.provider_config_key = text(from, "provider_config_key");
    for (const value each : from["provisioners"]) made.provisioners.push_back(text(each, "type"));
    made.refers_to = references_of(from, {"expressions", "count_expression", "for_each_expression",
                                          "provisioners", "depends_on"});
    made.has_count = !is_absent(from["count_expression"]);
    made.has_for_each = !is_absent(from["for_each_expression"]);
    return made;
  }

  static configured_call call(value from) {
    configured_call made;
    made.name = from.key();
    // The seed and older programs call it so.
    made.source = from["source"] ? text(from, "source") : text(from, "resolved_source");
    made.version_constraint = text(from, "version_constraint");
    made.refers_to = references_of(from, {"count_expression", "for_each_expression", "depends_on"});
    for (const value each : from["expressions"]) {
      gathering all;
      all.add_all(each);
      made.arguments.insert_or_assign(std::string{each.key()}, all.take());
    }
    return made;
  }

  configuration made_;
};

}  // namespace

result<configuration> read_configuration(value from, const std::string& path) {
  return configuration_reader{}.read(from, path);
}

result<std::map<std::string_view, value>> read_variables(value from, const std::string& path) {
  std::map<std::string_view, value> all;
  if (is_absent(from)) return all;
  if (!from.is(kind::object)) return failure{error::no_object, path};
  for (const value each : from) all.insert_or_assign(each.key(), each["value"]);
  return all;
}

}  // namespace tofud::plan
