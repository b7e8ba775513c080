#include "protocol/schema/provider_address.hpp"

namespace tofud::schema {

std::string_view without_registry(std::string_view provider) {
  const auto first = provider.find('/');
  if (first == std::string_view::npos) return provider;
  const bool has_registry = provider.find('/', first + 1) != std::string_view::npos;
  return has_registry ? provider.substr(first + 1) : provider;
}

std::string_view provider_name(std::string_view provider) {
  return provider.substr(provider.rfind('/') + 1);
}

bool is_specified(std::string_view provider) {
  return provider.find('/') == std::string_view::npos;
}

bool is_same_provider(std::string_view one, std::string_view other) {
  if (without_registry(one) == without_registry(other)) return true;
  const bool is_by_name = is_specified(one) || is_specified(other);
  return is_by_name && provider_name(one) == provider_name(other);
}

}  // namespace tofud::schema
