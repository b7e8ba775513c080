#include "daemon/attachments/prepare.hpp"

#include "daemon/configuration/configuration_files.hpp"
#include "daemon/reader/document_file.hpp"
#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/masked_plan.hpp"
#include "protocol/attachments/plan_types.hpp"
#include "protocol/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/schemas_extract.hpp"

#include <utility>

namespace tofud::attachments {
namespace {

json::keep everything(std::string_view, std::size_t, std::string_view) { return json::keep::tree; }

plan::result<std::string> reduced_schemas(const std::string& file,
                                          schema::schemas_scanner::wanted types) {
  schema::schemas_extract extract{std::move(types)};
  const std::string failure = reader::read_pieces(file, [&](std::string_view bytes) {
    extract.feed(bytes);
    return true;
  });
  if (!failure.empty()) return plan::failure{failure};
  auto made = extract.finish();
  for (const schema::finding& each : made.findings) {
    if (each.of == schema::finding::weight::error)
      return plan::failure{file + ": " + to_string(each)};
  }
  if (made.document.size() > limits::attached_schemas_bytes)
    return plan::failure{file + ": the schemas of the plan's types have more than " +
                         std::to_string(limits::attached_schemas_bytes / limits::mib) + " MiB"};
  return {boost::system::in_place_value, std::move(made.document)};
}

}  // namespace

plan::result<plan_and_schemas> prepare_plan(std::string_view plan,
                                            const std::string& schemas_file) {
  const auto document = plan::read(plan);
  if (!document) return document.error();
  plan_and_schemas made;
  schema::schemas known;
  json::document_parser parser{everything};
  if (!schemas_file.empty()) {
    auto types = types_of(*document);
    if (!types) return types.error();
    auto reduced = reduced_schemas(schemas_file, std::move(*types));
    if (!reduced) return reduced.error();
    made.schemas = std::move(*reduced);
    if (const auto wrong = parser.parse(made.schemas))
      return plan::failure{schemas_file + " is " + std::string{json::describe(*wrong)}};
    auto read = schema::read_provider_schemas(parser.root());
    if (!read) return plan::failure{schemas_file + ": " + read.error()};
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

std::string prepare_config(const std::string& directory, const std::string& data_directory) {
  return to_json(configuration::read_from_disk(directory, data_directory));
}

}  // namespace tofud::attachments
