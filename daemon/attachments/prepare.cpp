#include "daemon/attachments/prepare.hpp"

#include "daemon/configuration/configuration_files.hpp"
#include "daemon/reader/document_file.hpp"
#include "daemon/reader/gunzip.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/masked_plan.hpp"
#include "protocol/attachments/plan_types.hpp"
#include "protocol/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/schemas_extract.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tofud::attachments {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

/// Feeds a document in pieces; the failure is a sentence.
using schema_source = std::function<std::string(const std::function<void(std::string_view)>& to)>;

/// `name`: of the document, for sentences.
plan::result<std::string> reduced_schemas(const std::string& name, const schema_source& source,
                                          schema::schemas_scanner::wanted types) {
  schema::schemas_extract extract{std::move(types)};
  std::string failure = source([&](std::string_view bytes) { extract.feed(bytes); });
  if (!failure.empty()) return plan::failure{std::move(failure)};
  auto made = extract.finish();
  for (const schema::finding& each : made.findings) {
    if (each.of == schema::finding::weight::error)
      return plan::failure{name + ": " + to_string(each)};
  }
  if (made.document.size() > limits::attached_schemas_bytes)
    return plan::failure{name + ": the schemas of the plan's types have more than " +
                         std::to_string(limits::attached_schemas_bytes / limits::mib) + " MiB"};
  return {boost::system::in_place_value, std::move(made.document)};
}

/// No `source`: no schemas.
plan::result<plan_and_schemas> prepare(std::string_view plan, const std::string& name,
                                       const schema_source& source) {
  const auto document = plan::read(plan);
  if (!document) return document.error();
  plan_and_schemas made;
  schema::schemas known;
  json::document_parser parser{everything};
  if (source) {
    auto types = types_of(*document);
    if (!types) return types.error();
    auto reduced = reduced_schemas(name, source, std::move(*types));
    if (!reduced) return reduced.error();
    made.schemas = std::move(*reduced);
    if (const auto wrong = parser.parse(made.schemas))
      return plan::failure{name + " is " + std::string{json::describe(*wrong)}};
    auto read = schema::read_provider_schemas(parser.root());
    if (!read) return plan::failure{name + ": " + read.error()};
    known = std::move(*read);
  }
  auto masked = masked_plan(*document, &known);
  if (!masked) return masked.error();
  if (masked->size() > limits::attached_plan_bytes)
    return plan::failure{"the plan's changes have more than " +
                         std::to_string(limits::attached_plan_bytes / limits::mib) + " MiB"};
  made.plan = std::move(*masked);
  return made;
}

/// Of bytes at hand. What inflates without end is left, not unpacked.
std::string unpack(std::string_view bytes, const std::function<void(std::string_view)>& to,
                   bool& too_large) {
  constexpr std::size_t piece = 4 * limits::kib;  // makes some mebibytes at most
  std::size_t count = 0;
  reader::gunzip unpacked{[&](std::string_view some) {
    count += some.size();
    if (count <= limits::plan_document_bytes) to(some);
  }};
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    if (auto wrong = unpacked.feed(bytes.substr(0, piece)); !wrong.empty())
      return "the document " + wrong;
    too_large = count > limits::plan_document_bytes;
    if (too_large)
      return "the schemas have more than " +
             std::to_string(limits::plan_document_bytes / limits::mib) + " MiB";
  }
  const std::string wrong = unpacked.end();
  return wrong.empty() ? "" : "the document " + wrong;
}

}  // namespace

plan::result<plan_and_schemas> prepare_plan(std::string_view plan,
                                            const std::string& schemas_file) {
  if (schemas_file.empty()) return prepare(plan, "", {});
  return prepare(plan, schemas_file, [&](const auto& to) {
    return reader::read_pieces(schemas_file, [&](std::string_view bytes) {
      to(bytes);
      return true;
    });
  });
}

plan::result<plan_and_schemas> prepare_schemas(std::string_view plan, std::string_view schemas,
                                               bool& too_large) {
  too_large = false;
  return prepare(plan, "the document",
                 [&](const auto& to) { return unpack(schemas, to, too_large); });
}

std::string prepare_config(const std::string& directory, const std::string& data_directory) {
  return to_json(configuration::read_from_disk(directory, data_directory));
}

}  // namespace tofud::attachments
