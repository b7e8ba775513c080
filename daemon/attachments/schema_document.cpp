#include "daemon/attachments/schema_document.hpp"

#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "protocol/schema/schemas_reader.hpp"
#include "protocol/schema/specification.hpp"
#include "protocol/text/sizes.hpp"

#include <string_view>
#include <utility>

namespace tofud::attachments {
namespace {

using schema::place;
using schema::section;

void take_types(schema::schemas::by_type& from, schema::schemas::by_type& into,
                std::string_view provider, section in,
                const schema::schemas_scanner::wanted& asks) {
  for (auto& [name, each] : from) {
    if (asks(place{provider, in, name})) into.emplace(name, std::move(each));
  }
}

void read_as_specification(const std::string& text, const schema::schemas_scanner::wanted& asks,
                           schema_document& into) {
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  if (const auto failed = parser.parse(text)) {
    into.findings.push_back({schema::finding::weight::error, {}, std::string{describe(*failed)}});
    return;
  }
  into.findings = schema::check_specification(parser.root());
  if (schema::has_error(into.findings)) return;
  auto read = schema::read_specification(parser.root());
  const std::string& name = read.provider_name;
  auto& types = into.types.providers[name];
  if (read.types.configuration && asks(place{name, section::provider, {}})) {
    types.configuration = std::move(read.types.configuration);
  }
  take_types(read.types.resources, types.resources, name, section::resource, asks);
  take_types(read.types.data_sources, types.data_sources, name, section::data_source, asks);
}

}  // namespace

schema_document read_schema_document(const std::string& path,
                                     const schema::schemas_scanner::wanted& asks) {
  schema_document made;
  schema::schemas_reader pieces{asks};
  std::string text;  // as long as it may be a specification
  made.failure = files::read_pieces(path, [&](std::string_view bytes) {
    pieces.feed(bytes);
    const bool is_read_in_pieces = pieces.what() == schema_document::format::provider_schemas;
    if (is_read_in_pieces) text = {};
    if (!is_read_in_pieces) text.append(bytes);
    return text.size() <= limits::specification_bytes;
  });
  if (!made.failure.empty()) return made;
  if (text.size() > limits::specification_bytes) {
    made.failure = {error::large_specification, files::name_of_file(path),
                    limits::specification_bytes / limits::mib};
    return made;
  }
  auto read = pieces.finish();
  made.what = pieces.what();
  if (made.what == schema_document::format::provider_schemas || schema::has_error(read.findings)) {
    made.types = std::move(read.found);
    made.findings = std::move(read.findings);
  } else {
    read_as_specification(text, asks, made);
  }
  return made;
}

}  // namespace tofud::attachments
