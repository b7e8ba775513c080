#include "protocol/redact/rules.hpp"

#include "protocol/redact/errors.hpp"
#include "protocol/redact/token_shapes.hpp"
#include "protocol/text/hex.hpp"
#include "protocol/text/sha256.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace tofud::redact {
namespace {

// Grows with every change of what a line is redacted into: two programs of one version and the same
// rules make the same bytes.
constexpr int version = 2;

std::string_view name(provisioner_output what) {
  return what == provisioner_output::mask ? "mask" : "drop";
}

}  // namespace

std::string digest(const rules& what) {
  // Every part ends in a newline, and no name holds one: no two lists of parts look the same.
  std::string text = "tofud redaction " + std::to_string(version) + "\n";
  for (const token_shape& shape : token_shapes()) {
    text.append(shape.name).append(" ").append(shape.pattern).append("\n");
  }
  text.append("provisioners ").append(name(what.provisioners)).append("\n");
  for (const secret& each : what.secrets) {
    for (const char c : each.name) text.push_back(c == '\n' ? ' ' : c);
    text.push_back('\n');
  }
  return "sha256:" + text::sha256_hex(text);
}

std::string mask_of(std::string_view salt, std::string_view text) {
  std::array<unsigned char, 32> code{};
  unsigned size = 0;
  HMAC(EVP_sha256(), salt.data(), static_cast<int>(salt.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), code.data(), &size);
  return "(redacted:" + text::to_hex({reinterpret_cast<const char*>(code.data()), 3}) + ")";
}

std::string to_mask_file(const rules& what) {
  boost::json::array secrets;
  for (const secret& each : what.secrets) {
    secrets.push_back({{"name", each.name}, {"value", text::to_hex(each.value)}});
  }
  const boost::json::object document{{"tofud_mask", version},
                                     {"salt", text::to_hex(what.salt)},
                                     {"provisioner_output", name(what.provisioners)},
                                     {"secrets", std::move(secrets)}};
  return boost::json::serialize(document) + "\n";
}

text::result<rules> parse_mask_file(std::string_view document) {
  boost::json::error_code failed;
  const boost::json::value root =
      boost::json::parse(boost::json::string_view{document.data(), document.size()}, failed);
  if (failed || !root.is_object()) return text::failure{error::no_object};
  const auto& members = root.get_object();
  const auto member = [&members](std::string_view key) { return members.if_contains(key); };
  const auto* written = member("tofud_mask");
  if (written == nullptr || !written->is_int64()) return text::failure{error::no_version};
  if (written->get_int64() != version) {
    return text::failure{error::other_version, written->get_int64(), version};
  }
  rules found;
  const auto* salt = member("salt");
  if (salt == nullptr || !salt->is_string()) return text::failure{error::no_salt};
  auto bytes = text::from_hex({salt->get_string().data(), salt->get_string().size()});
  if (!bytes) return text::failure{error::bad_salt};
  found.salt = *bytes;
  const auto* provisioners = member("provisioner_output");
  if (provisioners == nullptr || !provisioners->is_string() ||
      (provisioners->get_string() != "mask" && provisioners->get_string() != "drop")) {
    return text::failure{error::bad_provisioner_output};
  }
  found.provisioners =
      provisioners->get_string() == "drop" ? provisioner_output::drop : provisioner_output::mask;
  const auto* secrets = member("secrets");
  if (secrets == nullptr || !secrets->is_array()) return text::failure{error::no_secrets};
  for (const auto& each : secrets->get_array()) {
    const auto* entry = each.if_object();
    const auto* called = entry == nullptr ? nullptr : entry->if_contains("name");
    const auto* value = entry == nullptr ? nullptr : entry->if_contains("value");
    if (called == nullptr || !called->is_string() || value == nullptr || !value->is_string()) {
      return text::failure{error::unnamed_secret};
    }
    auto hidden = text::from_hex({value->get_string().data(), value->get_string().size()});
    if (!hidden) return text::failure{error::bad_secret};
    found.secrets.push_back({std::string{called->get_string()}, std::move(*hidden)});
  }
  return found;
}

}  // namespace tofud::redact
