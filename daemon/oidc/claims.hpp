// What a token says of its holder.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::oidc {

/// Claims by name; those within an object have the names of both with a dot between:
/// "kubernetes.io.namespace". Strings, numbers as they were written, `true` and `false`; of a list
/// all its values. Empty ones, and ones that no pattern is to see (control characters, longer than
/// limits::claim_bytes, no UTF-8), count as not there.
using claims = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Of a JSON object in which no member is there twice, at any depth.
text::result<claims> read_claims(std::string_view json);

/// The value of a claim that has one; nothing: it has none, or several.
std::optional<std::string_view> one(const claims& of, std::string_view name);

/// Whether a claim has that value, alone or among others.
bool has(const claims& of, std::string_view name, std::string_view value);

}  // namespace tofud::oidc
