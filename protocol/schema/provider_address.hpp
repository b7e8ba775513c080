// The names that a provider goes by: `registry.opentofu.org/acme/cloud`, and `cloud` alone in a
// specification.
#pragma once

#include <string_view>

namespace tofud::schema {

/// "acme/cloud": providers are the same, whichever registry they come from. A name stays as it is.
std::string_view without_registry(std::string_view provider);

/// "cloud".
std::string_view provider_name(std::string_view provider);

/// Whether that is how a specification calls its provider: no address.
bool is_specified(std::string_view provider);

/// Whether both may be one provider, as far as they tell.
bool is_same_provider(std::string_view one, std::string_view other);

}  // namespace tofud::schema
