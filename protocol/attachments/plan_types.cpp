#include "protocol/attachments/plan_types.hpp"

#include "protocol/diff/resource_diff.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::attachments {

plan::result<schema::schemas_scanner::wanted> types_of(const plan::document& from) {
  using names = std::set<std::string, std::less<>>;
  auto types = std::make_shared<std::map<std::string, names, std::less<>>>();
  plan::part parsed;
  for (const auto& [name, texts] : {std::pair{"resource_changes", &from.resource_changes},
                                    std::pair{"resource_drift", &from.resource_drift}}) {
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const std::string path = std::string{name} + "[" + std::to_string(i) + "]";
      const auto about = diff::read(parsed, (*texts)[i], path);
      if (!about) return about.error();
      const std::string_view provider = about->provider_name;
      (*types)[std::string{provider.substr(provider.find('/') + 1)}].emplace(about->type);
    }
  }
  // Whatever registry it comes from, or its name alone in a specification.
  return schema::schemas_scanner::wanted{[types](const schema::place& at) {
    const auto fits = [&](const auto& of) {
      return at.type.empty() ? false : of.second.contains(at.type);
    };
    const std::string_view own = at.provider.substr(at.provider.find('/') + 1);
    for (const auto& each : *types) {
      const bool is_named = own == each.first || each.first.ends_with("/" + std::string{own});
      if (is_named && fits(each)) return true;
    }
    return false;
  }};
}

}  // namespace tofud::attachments
