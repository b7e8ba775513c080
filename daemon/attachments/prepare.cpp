#include "daemon/attachments/prepare.hpp"

#include "daemon/attachments/configuration_files.hpp"
#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/files/gunzip.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/diff/plan_types.hpp"
#include "protocol/redact/masked_plan.hpp"
#include "protocol/schema/overlay.hpp"
#include "protocol/schema/provider_address.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/schemas_reader.hpp"
#include "protocol/text/sizes.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tofud::attachments {
namespace {

/// Of bytes at hand. What inflates without end is left, not unpacked.
text::failure unpack(std::string_view bytes, const std::function<void(std::string_view)>& to) {
  constexpr std::size_t piece = 4 * limits::kib;  // makes some mebibytes at most
  std::size_t count = 0;
  files::gunzip unpacked{[&](std::string_view some) {
    count += some.size();
    if (count <= limits::plan_document_bytes) to(some);
  }};
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    if (auto wrong = unpacked.feed(bytes.substr(0, piece)); !wrong.empty())
      return {error::document, wrong};
    if (count > limits::plan_document_bytes)
      return {error::large_schemas, limits::plan_document_bytes / limits::mib};
  }
  const std::string wrong = unpacked.end();
  if (!wrong.empty()) return {error::document, wrong};
  return {};
}

/// What of the document is kept. Of specifications everything is.
plan::result<schema::schemas> read_schemas(std::string_view bytes,
                                           const schema::schemas_scanner::wanted& types,
                                           const schema::schemas* own) {
  schema::schemas_reader reading{[&](const schema::place& at) {
    return schema::is_specified(at.provider) || (types && types(at));
  }};
  auto failure = unpack(bytes, [&](std::string_view some) { reading.feed(some); });
  if (!failure.empty()) return failure;
  auto read = bytes.empty() ? schema::schemas_read{} : reading.finish();
  for (const schema::finding& each : read.findings) {
    if (each.of == schema::finding::weight::error)
      return text::failure{error::bad_schemas, to_string(each)};
  }
  schema::schema_layers layers;
  layers.add(std::move(read.found));
  if (own != nullptr) layers.add(*own);
  return {boost::system::in_place_value, layers.done()};
}

}  // namespace

plan::result<std::string> kept_schemas(const schema::schemas& all) {
  std::string made = schema::write_provider_schemas(all);
  if (made.size() > limits::attached_schemas_bytes)
    return text::failure{error::large_kept_schemas, limits::attached_schemas_bytes / limits::mib};
  return {boost::system::in_place_value, std::move(made)};
}

plan::result<plan_and_schemas> prepare_plan(std::string_view plan, const schema_source& source) {
  const auto document = plan::read(plan);
  if (!document) return document.error();
  plan_and_schemas made;
  schema::schemas known;
  if (source) {
    const auto types = diff::types_of(*document);
    if (!types) return types.error();
    auto found = source(*types);
    if (!found) return found.error();
    known = std::move(*found);
    auto text = kept_schemas(known);
    if (!text) return text.error();
    made.schemas = std::move(*text);
  }
  auto masked = redact::masked_plan(*document, &known);
  if (!masked) return masked.error();
  if (masked->size() > limits::attached_plan_bytes)
    return text::failure{error::large_changes, limits::attached_plan_bytes / limits::mib};
  made.plan = std::move(*masked);
  auto hidden = redact::hidden_values_of(*document, &known);
  if (!hidden) return hidden.error();
  made.hidden = std::move(*hidden);
  return made;
}

plan::result<plan_and_schemas> prepare_schemas(std::string_view plan, std::string_view schemas,
                                               const schema::schemas* own) {
  if (!plan.empty()) {
    return prepare_plan(plan, [&](const schema::schemas_scanner::wanted& types) {
      return read_schemas(schemas, types, own);
    });
  }
  const auto read = read_schemas(schemas, {}, own);
  if (!read) return read.error();
  if (read->providers.empty()) return plan_and_schemas{};
  auto text = kept_schemas(*read);
  if (!text) return text.error();
  return plan_and_schemas{"", std::move(*text), {}};
}

std::string prepare_config(const std::string& directory, const std::string& data_directory) {
  return to_json(attachments::read_from_disk(directory, data_directory));
}

}  // namespace tofud::attachments
