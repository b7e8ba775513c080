#include "daemon/attachments/hidden_file.hpp"

#include "daemon/files/document_file.hpp"
#include "protocol/redact/limits.hpp"
#include "protocol/redact/rules.hpp"

#include <utility>

namespace tofud::attachments {
namespace {

std::vector<redact::secret> secrets_of(const redact::hidden_values& of) {
  std::vector<redact::secret> all;
  for (const std::string& each : of.texts) all.push_back({"plan", each});
  return all;
}

}  // namespace

std::string hidden_file(const redact::hidden_values& of) {
  redact::rules all;
  all.secrets = secrets_of(of);
  return redact::to_mask_file(all);
}

std::vector<redact::secret> read_hidden_file(const std::string& path) {
  // Hex, and some words around each value.
  constexpr std::size_t most = 2 * limits::mask_file_bytes + 64 * limits::hidden_values;
  const auto text = files::read_document(path, most);
  if (!text) return {};
  auto found = redact::parse_mask_file(*text);
  if (!found) return {};
  return std::move(found->secrets);
}

std::shared_ptr<const redact::ready_rules> ready_to_hide(std::vector<redact::secret> values) {
  if (values.empty()) return nullptr;
  redact::rules all;
  all.secrets = std::move(values);
  return std::make_shared<const redact::ready_rules>(all, redact::looks_for::values);
}

std::shared_ptr<const redact::ready_rules> ready_to_hide(const redact::hidden_values& of) {
  return ready_to_hide(secrets_of(of));
}

}  // namespace tofud::attachments
