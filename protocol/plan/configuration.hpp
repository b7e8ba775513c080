// The configuration as a plan has it: what declares what, and refers to what. It lacks locals,
// `lifecycle` and what is in `dynamic` blocks, so edges may be missing.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/failure.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::plan {

/// Addresses that an expression refers to, each once and in order: `aws_vpc.main`,
/// `data.http.page`, `var.size`, `local.name`, `module.net`; an output of a module with its name.
/// Of keys only a literal one of a resource, no attributes; not `each`, `count`, `self`, `path` and
/// `terraform`.
using references = std::vector<std::string>;

/// Views into a parsed document, as all of this.
struct configured_resource {
  std::string_view address;  // in its module, without keys
  std::string_view mode, type, name, provider_config_key;
  std::vector<std::string_view> provisioners;  // their types, in order; when they run is not said
  references refers_to;  // with `depends_on`, count, for_each and provisioners
  bool has_count = false, has_for_each = false;
};

struct configured_output {
  std::string_view name;
  bool sensitive = false;
  references refers_to;
};

struct configured_variable {
  std::string_view name;
  bool sensitive = false;
  json::value default_value;  // empty: none
};

struct configured_call {
  std::string_view name, source, version_constraint;
  references refers_to;                                      // of the call as a whole
  std::map<std::string, references, std::less<>> arguments;  // of each argument
};

struct configured_module {
  std::vector<configured_resource> resources;
  std::vector<configured_output> outputs;
  std::vector<configured_variable> variables;
  std::vector<configured_call> calls;
};

struct configured_provider {
  std::string_view name, full_name, alias, version_constraint, module_address;
  references refers_to;
};

struct configuration {
  std::map<std::string, configured_provider, std::less<>> providers;  // by `provider_config_key`
  /// By path without keys: empty for the root module, `module.net.module.subnets`.
  std::map<std::string, configured_module, std::less<>> modules;
};

/// `from` is an object, or nothing. Unknown members are passed over. A failure begins with `path`.
result<configuration> read_configuration(json::value from,
                                         const std::string& path = "configuration");

/// The value of each root variable, in clear whatever it is: views, by name.
result<std::map<std::string_view, json::value>> read_variables(
    json::value from, const std::string& path = "variables");

}  // namespace tofud::plan
