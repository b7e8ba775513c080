#include "protocol/diff/resource_diff.hpp"

#include "protocol/schema/provider_address.hpp"

#include <utility>
#include <vector>

namespace tofud::diff {
namespace {

// Both serve the same providers under their own names.
constexpr std::string_view terraform_registry = "registry.terraform.io/";
constexpr std::string_view opentofu_registry = "registry.opentofu.org/";

std::vector<json::value> elements_of(json::value of) {
  std::vector<json::value> all;
  if (!of.is(json::kind::array)) return all;
  for (const json::value each : of) all.push_back(each);
  return all;
}

std::vector<json::value> relevant_to(std::string_view address, json::value attributes) {
  std::vector<json::value> found;
  for (const json::value each : elements_of(attributes)) {
    const auto resource = each["resource"].string().value_or("");
    if (resource.empty() || resource == address) found.push_back(each["attribute"]);
  }
  return found;
}

}  // namespace

const schema::object_schema* find(const knowledge& known, std::string_view provider,
                                  std::string_view mode, std::string_view type) {
  if (known.schemas == nullptr) return nullptr;
  if (const auto* found = known.schemas->find(provider, mode_of(mode), type)) return found;
  for (const auto& [one, other] : {std::pair{terraform_registry, opentofu_registry},
                                   std::pair{opentofu_registry, terraform_registry}}) {
    if (!provider.starts_with(one)) continue;
    const std::string same = std::string{other} + std::string{provider.substr(one.size())};
    if (const auto* found = known.schemas->find(same, mode_of(mode), type)) return found;
  }
  // A specification knows its provider by name.
  return known.schemas->find(schema::provider_name(provider), mode_of(mode), type);
}

schema::mode mode_of(std::string_view name) {
  if (name == "data") return schema::mode::data;
  if (name == "ephemeral") return schema::mode::ephemeral;
  return schema::mode::managed;
}

sides sides_of(const plan::change& from) {
  sides between;
  between.before = from.before;
  between.after = from.after;
  between.unknown = from.after_unknown;
  between.before_sensitive = from.before_sensitive;
  between.after_sensitive = from.after_sensitive;
  between.replace = attribute_paths::of(elements_of(from.replace_paths));
  return between;
}

plan::result<plan::resource_change> read(plan::part& parsed, std::string_view text,
                                         const std::string& path) {
  if (auto wrong = parsed.parse(text, path)) return std::move(*wrong);
  return plan::read_resource_change(parsed.root(), path);
}

plan::result<resource_diff> compute(plan::part& parsed, std::string_view text,
                                    const std::string& path, const knowledge& known,
                                    const relevance& of) {
  auto about = read(parsed, text, path);
  if (!about) return about.error();
  resource_diff made;
  made.about = *about;
  sides between = sides_of(made.about.change);
  const bool of_terraform = known.made_by == plan::product::terraform;
  between.by_position = of_terraform;
  // What Terraform forgets stays as it is.
  if (of_terraform && made.about.change.action == plan::planned_action::forget) {
    between.after = between.before;
    between.after_sensitive = between.before_sensitive;
    between.after_explicit = between.before_explicit;
  }
  if (!of.everything) {
    const auto paths = relevant_to(made.about.address, of.attributes);
    made.relevant = !paths.empty();
    between.relevant = attribute_paths::of(paths);
  }
  const schema::object_schema* found =
      find(known, made.about.provider_name, made.about.mode, made.about.type);
  made.has_schema = found != nullptr;
  made.tree = found == nullptr ? compute_untyped(between)
                               : compute(between, found->block, known.marks, known.unknown);
  return made;
}

}  // namespace tofud::diff
