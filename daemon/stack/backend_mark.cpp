#include "daemon/stack/backend_mark.hpp"

#include "protocol/json/members.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <optional>

namespace tofud::stack {
namespace {

namespace json = boost::json;

// In the order in which they are hashed.
constexpr std::array<const char*, 10> locating = {
    "bucket",  "key",  "prefix",      "container_name", "storage_account_name",
    "address", "path", "schema_name", "organization",   "workspaces"};

std::optional<json::object> backend(std::string_view text) {
  json::error_code failed;
  const json::value state = json::parse(json::string_view{text.data(), text.size()}, failed);
  if (failed || !state.is_object()) return std::nullopt;
  const json::value* found = state.get_object().if_contains("backend");
  if (found == nullptr || !found->is_object()) return std::nullopt;
  return found->get_object();
}

bool is_set(const json::value* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_string()) return !value->get_string().empty();
  if (value->is_array()) return !value->get_array().empty();
  return true;
}

// Of a hash; none if there can be no hash: a name without a mark is better than no run.
std::string first_digits(const std::string& text) {
  text::sha256_sum sum;
  sum.add(text);
  return sum.hex().value_or("").substr(0, 6);
}

}  // namespace

std::string backend_type(std::string_view text) {
  const auto found = backend(text);
  return found ? tofud::json::text_at(*found, "type") : "";
}

std::string backend_mark(std::string_view text) {
  const auto found = backend(text);
  if (!found) return "";
  const std::string type = tofud::json::text_at(*found, "type");
  std::string hashed = type + "\n";
  bool located = false;
  const json::value* config = found->if_contains("config");
  if (config != nullptr && config->is_object()) {
    for (const char* key : locating) {
      const json::value* setting = config->get_object().if_contains(key);
      if (!is_set(setting)) continue;
      located = true;
      hashed += std::string{key} + "=" + json::serialize(*setting) + "\n";
    }
  }
  if (type.empty() || (type == "local" && !located)) return "";
  return first_digits(hashed);
}

}  // namespace tofud::stack
