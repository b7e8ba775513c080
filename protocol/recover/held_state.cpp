#include "protocol/recover/held_state.hpp"

#include "protocol/json/document.hpp"
#include "protocol/json/limits.hpp"
#include "protocol/json/ranges.hpp"
#include "protocol/plan/document_kind.hpp"
#include "protocol/plan/state.hpp"
#include "protocol/recover/errors.hpp"
#include "protocol/text/limits.hpp"
#include "protocol/ui/resource_address.hpp"

#include <optional>
#include <utility>

namespace tofud::recover {
namespace {

using json::keep;
using plan::failure;

std::string address_key(std::string_view module, std::string_view type, std::string_view name,
                        std::string_view index) {
  std::string key{module};
  for (const std::string_view part : {type, name, index}) key.append("\n").append(part);
  return key;
}

std::string id_key(std::string_view type, std::string_view id) {
  return std::string{type}.append("\n").append(id);
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> wanted) {
  for (const std::string_view each : wanted) {
    if (key == each) return true;
  }
  return false;
}

// Attributes hold secrets, and may be large: none is kept but what names the object.
keep names_only(std::string_view, std::size_t, std::string_view key) {
  return is_one_of(key, {"id", "name"}) ? keep::tree : keep::skip;
}

keep of_resource(std::string_view, std::size_t, std::string_view key) {
  return is_one_of(key, {"mode", "module", "type", "name"}) ? keep::tree : keep::skip;
}

keep of_instance(std::string_view top, std::size_t depth, std::string_view key) {
  if (depth > 1) return names_only(top, depth, key);
  return is_one_of(key, {"index_key", "deposed", "attributes"}) ? keep::tree : keep::skip;
}

keep of_shown(std::string_view top, std::size_t depth, std::string_view key) {
  if (depth > 1) return names_only(top, depth, key);
  return is_one_of(key, {"address", "mode", "type", "name", "index", "deposed_key", "values"})
             ? keep::tree
             : keep::skip;
}

std::string text_of(json::value from) { return std::string{from.string().value_or("")}; }

std::string index_of(json::value from) {
  if (!from) return "null";
  std::string text;
  from.append_json(text);
  return text;
}

held_object object_of(json::value attributes, json::value deposed) {
  return {text_of(attributes["id"]), text_of(attributes["name"]), text_of(deposed)};
}

std::optional<failure> wrong(const std::string& path, json::parse_error why) {
  return failure{error::no_json, path, json::describe(why)};
}

std::optional<failure> too_many(const held_state& into) {
  if (into.size() < limits::recovered_objects) return {};
  return failure{error::too_many_objects, limits::recovered_objects};
}

class file_reader {
 public:
  explicit file_reader(held_state& into) : into_{into} {}

  std::optional<failure> read(std::string_view resources) {
    const auto all = json::elements_of(resources);
    if (!all) return failure{error::no_resources};
    for (std::size_t i = 0; i < all->size(); ++i) {
      const std::string path = "resources[" + std::to_string(i) + "]";
      if (auto failed = resource((*all)[i].text, path)) return failed;
    }
    return {};
  }

 private:
  std::optional<failure> resource(std::string_view text, const std::string& path) {
    if (const auto error = resource_.parse(text)) return wrong(path, *error);
    if (resource_.root()["mode"].text() != "managed") return {};
    const auto members = json::members_of(text);
    if (!members) return failure{error::no_object, path};
    for (const json::range& each : *members) {
      if (each.key != "instances") continue;
      if (auto failed = instances(each.text, path + ".instances")) return failed;
    }
    return {};
  }

  std::optional<failure> instances(std::string_view text, const std::string& path) {
    const auto all = json::elements_of(text);
    if (!all) return failure{error::no_array, path};
    const json::value of = resource_.root();
    for (std::size_t i = 0; i < all->size(); ++i) {
      if (auto failed = too_many(into_)) return failed;
      if (const auto error = instance_.parse((*all)[i].text))
        return wrong(path + "[" + std::to_string(i) + "]", *error);
      const json::value one = instance_.root();
      into_.add(of["module"].text(), of["type"].text(), of["name"].text(),
                index_of(one["index_key"]), object_of(one["attributes"], one["deposed"]));
    }
    return {};
  }

  held_state& into_;
  json::document_parser resource_{of_resource}, instance_{of_instance};
};

class shown_reader {
 public:
  explicit shown_reader(held_state& into) : into_{into} {}

  std::optional<failure> module(std::string_view text, const std::string& path,
                                std::size_t depth = 0) {
    if (depth > limits::json_depth) return failure{error::nested_too_deep, path};
    const auto found = plan::read_state_module(text, path);
    if (!found) return found.error();
    for (std::size_t i = 0; i < found->resources.size(); ++i) {
      const std::string here = path + ".resources[" + std::to_string(i) + "]";
      if (auto failed = resource(found->resources[i], here)) return failed;
    }
    for (std::size_t i = 0; i < found->child_modules.size(); ++i) {
      const std::string here = path + ".child_modules[" + std::to_string(i) + "]";
      if (auto failed = module(found->child_modules[i], here, depth + 1)) return failed;
    }
    return {};
  }

 private:
  std::optional<failure> resource(std::string_view text, const std::string& path) {
    if (auto failed = too_many(into_)) return failed;
    if (const auto error = parser_.parse(text)) return wrong(path, *error);
    const json::value one = parser_.root();
    if (one["mode"].text() != "managed") return {};
    const auto parts = ui::parse_address(one["address"].text());
    if (!parts) return failure{error::no_address, path};
    into_.add(parts->module, parts->type, parts->name, index_of(one["index"]),
              object_of(one["values"], one["deposed_key"]));
    return {};
  }

  held_state& into_;
  json::document_parser parser_{of_shown};
};

plan::result<held_state> read_state_file(const std::vector<json::range>& members) {
  held_state made;
  made.form = state_form::state_file;
  std::string_view version, resources;
  for (const json::range& each : members) {
    if (each.key == "encrypted_data") return failure{error::encrypted};
    if (each.key == "version") version = each.text;
    if (each.key == "resources") resources = each.text;
    if (each.key == "serial") made.serial = each.text;
    if (each.key == "lineage" && each.text.size() >= 2)
      made.lineage = each.text.substr(1, each.text.size() - 2);
  }
  if (version != "4") {
    return failure{error::other_version, version};
  }
  if (resources.empty() || resources == "null") return made;
  if (auto failed = file_reader{made}.read(resources)) return std::move(*failed);
  return made;
}

plan::result<held_state> read_shown(std::string_view text) {
  const auto state = plan::read_state(text);
  if (!state) return state.error();
  held_state made;
  made.form = state_form::shown;
  if (auto failed = shown_reader{made}.module(state->root_module, "values.root_module"))
    return std::move(*failed);
  return made;
}

}  // namespace

std::span<const held_object> held_state::at(const feed::resource_row& row) const {
  const feed::address_parts of = row.parts();
  const auto found = by_address_.find(address_key(of.module, of.type, of.name, of.index));
  if (found == by_address_.end()) return {};
  return found->second;
}

bool held_state::has(std::string_view type, std::string_view id) const {
  return ids_.contains(id_key(type, id));
}

void held_state::add(std::string_view module, std::string_view type, std::string_view name,
                     std::string_view index, held_object object) {
  for (const std::string& id : {object.id, object.name}) {
    if (!id.empty()) ids_.insert(id_key(type, id));
  }
  by_address_[address_key(module, type, name, index)].push_back(std::move(object));
  ++objects_;
}

plan::result<held_state> read_held_state(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    held_state none;
    none.form = state_form::empty;
    return none;
  }
  const auto members = json::members_of(text);
  if (!members) return failure{error::torn};
  switch (plan::kind_of(text)) {
    case plan::document_kind::state_file:
      return read_state_file(*members);
    case plan::document_kind::state:
      return read_shown(text);
    case plan::document_kind::plan:
      return failure{error::plan};
    case plan::document_kind::provider_schemas:
    case plan::document_kind::stream:
    case plan::document_kind::other:
      break;
  }
  return failure{error::no_state};
}

}  // namespace tofud::recover
