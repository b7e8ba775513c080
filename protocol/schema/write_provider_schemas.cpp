#include "protocol/json/quote.hpp"
#include "protocol/schema/provider_schemas.hpp"

#include <string_view>

namespace tofud::schema {
namespace {

void member(std::string& out, std::string_view name) {
  if (out.back() != '{') out.push_back(',');
  json::append_quoted(out, name);
  out.push_back(':');
}

void text(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  member(out, name);
  json::append_quoted(out, value);
}

void flag(std::string& out, std::string_view name, bool set) {
  if (!set) return;
  member(out, name);
  out.append("true");
}

void number(std::string& out, std::string_view name, std::uint64_t value) {
  if (value == 0) return;
  member(out, name);
  out.append(std::to_string(value));
}

std::string_view name_of(nesting how) {
  switch (how) {
    case nesting::single:
      return "single";
    case nesting::group:
      return "group";
    case nesting::list:
      return "list";
    case nesting::set:
      return "set";
    case nesting::map:
      break;
  }
  return "map";
}

std::string_view name_of(type::kind what) {
  switch (what) {
    case type::kind::dynamic:
      return "dynamic";
    case type::kind::boolean:
      return "bool";
    case type::kind::number:
      return "number";
    case type::kind::string:
      return "string";
    case type::kind::list:
      return "list";
    case type::kind::set:
      return "set";
    case type::kind::map:
      return "map";
    case type::kind::object:
      return "object";
    case type::kind::tuple:
      break;
  }
  return "tuple";
}

void append(std::string& out, const type& of) {  // NOLINT(misc-no-recursion)
  const bool plain = of.what <= type::kind::string;
  if (!plain) out.push_back('[');
  json::append_quoted(out, name_of(of.what));
  if (plain) return;
  out.push_back(',');
  if (of.what == type::kind::object) {
    out.push_back('{');
    for (const type::member& each : of.members) {
      member(out, each.name);
      append(out, each.of);
    }
    out.push_back('}');
  } else if (of.what == type::kind::tuple) {
    out.push_back('[');
    for (const type& each : of.elements) {
      if (out.back() != '[') out.push_back(',');
      append(out, each);
    }
    out.push_back(']');
  } else {
    append(out, of.elements.empty() ? type{} : of.elements.front());
  }
  out.push_back(']');
}

template <class Overlaid>
void append_own(std::string& out, const Overlaid& from, std::string_view default_value) {
  if (default_value.empty() && from.validators.empty() && from.replacement == replacement::unsaid)
    return;
  member(out, own_member);
  out.push_back('{');
  if (!default_value.empty()) {
    member(out, "default");
    out.append(default_value);
  }
  if (from.replacement != replacement::unsaid)
    text(out, "replacement", from.replacement == replacement::certain ? "certain" : "possible");
  if (!from.validators.empty()) {
    member(out, "validators");
    out.push_back('[');
    for (const std::string& each : from.validators) {
      if (out.back() != '[') out.push_back(',');
      json::append_quoted(out, each);
    }
    out.push_back(']');
  }
  out.push_back('}');
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as what was read
void append(std::string& out, const std::vector<attribute>& attributes) {
  member(out, "attributes");
  out.push_back('{');
  for (const attribute& each : attributes) {
    member(out, each.name);
    out.push_back('{');
    if (each.nested) {
      member(out, "nested_type");
      out.push_back('{');
      append(out, each.nested->attributes);
      text(out, "nesting_mode", name_of(each.nested->nesting));
      out.push_back('}');
    } else {
      member(out, "type");
      append(out, each.type);
    }
    text(out, "description", each.description);
    flag(out, "required", each.required);
    flag(out, "optional", each.optional);
    flag(out, "computed", each.computed);
    flag(out, "sensitive", each.sensitive);
    flag(out, "write_only", each.write_only);
    flag(out, "deprecated", each.deprecated);
    text(out, "deprecation_message", each.deprecation_message);
    append_own(out, each, each.default_value);
    out.push_back('}');
  }
  out.push_back('}');
}

void append(std::string& out, const block& of) {  // NOLINT(misc-no-recursion)
  out.push_back('{');
  append(out, of.attributes);
  member(out, "block_types");
  out.push_back('{');
  for (const block_type& each : of.blocks) {
    member(out, each.name);
    out.push_back('{');
    text(out, "nesting_mode", name_of(each.nesting));
    member(out, "block");
    append(out, each.block);
    number(out, "min_items", each.least);
    number(out, "max_items", each.most);
    append_own(out, each, "");
    out.push_back('}');
  }
  out.push_back('}');
  text(out, "description", of.description);
  flag(out, "deprecated", of.deprecated);
  text(out, "deprecation_message", of.deprecation_message);
  out.push_back('}');
}

void append_object(std::string& out, const object_schema& of) {
  out.append("{\"version\":").append(std::to_string(of.version)).append(",\"block\":");
  append(out, of.block);
  out.push_back('}');
}

void append_identity(std::string& out, const object_schema& of) {
  out.append("{\"version\":").append(std::to_string(of.version)).append(",\"attributes\":{");
  for (const attribute& each : of.block.attributes) {
    member(out, each.name);
    out.append("{\"type\":");
    append(out, each.type);
    text(out, "description", each.description);
    flag(out, "required_for_import", each.required);
    flag(out, "optional_for_import", each.optional);
    out.push_back('}');
  }
  out.append("}}");
}

template <class Append>
void append(std::string& out, std::string_view name, const schemas::by_type& all,
            const Append& append_one) {
  if (all.empty()) return;
  member(out, name);
  out.push_back('{');
  for (const auto& [type, of] : all) {
    member(out, type);
    append_one(out, of);
  }
  out.push_back('}');
}

}  // namespace

std::string write_provider_schemas(const schemas& all) {
  std::string out = R"({"format_version":"1.0","provider_schemas":{)";
  for (const auto& [address, of] : all.providers) {
    member(out, address);
    out.push_back('{');
    if (of.configuration) {
      member(out, "provider");
      append_object(out, *of.configuration);
    }
    append(out, "resource_schemas", of.resources, append_object);
    append(out, "data_source_schemas", of.data_sources, append_object);
    append(out, "ephemeral_resource_schemas", of.ephemeral_resources, append_object);
    append(out, "resource_identity_schemas", of.identities, append_identity);
    out.push_back('}');
  }
  return out.append("}}\n");
}

}  // namespace tofud::schema
