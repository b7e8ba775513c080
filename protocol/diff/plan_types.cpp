#include "protocol/diff/plan_types.hpp"

#include "protocol/diff/resource_diff.hpp"
#include "protocol/diff/state_resources.hpp"
#include "protocol/schema/provider_address.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::diff {

namespace {

/// Types by the provider's address.
class type_names {
 public:
  void add(std::string_view provider, std::string_view type) {
    (*types_)[std::string{provider}].emplace(type);
  }

  schema::schemas_scanner::wanted asked() const {
    return [types = types_](const schema::place& at) {
      if (at.type.empty()) return false;
      for (const auto& [provider, known] : *types) {
        if (schema::is_same_provider(provider, at.provider) && known.contains(at.type)) return true;
      }
      return false;
    };
  }

 private:
  using names = std::set<std::string, std::less<>>;
  std::shared_ptr<std::map<std::string, names>> types_ =
      std::make_shared<std::map<std::string, names>>();
};

}  // namespace

plan::result<schema::schemas_scanner::wanted> types_of(const plan::document& from) {
  type_names types;
  plan::part parsed;
  for (const auto& [name, texts] : {std::pair{"resource_changes", &from.resource_changes},
                                    std::pair{"resource_drift", &from.resource_drift}}) {
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
      const auto about = diff::read(parsed, (*texts)[i], path);
      if (!about) return about.error();
      types.add(about->provider_name, about->type);
    }
  }
  return types.asked();
}

plan::result<schema::schemas_scanner::wanted> types_of(const plan::state_document& from) {
  type_names types;
  const auto wrong = diff::for_each_resource(
      from, [&](const plan::state_resource& each) { types.add(each.provider_name, each.type); });
  if (wrong) return *wrong;
  return types.asked();
}

}  // namespace tofud::diff
