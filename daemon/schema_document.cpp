#include "daemon/schema_document.hpp"

#include "daemon/reader/descriptor.hpp"
#include "protocol/limits.hpp"
#include "protocol/schema/schemas_reader.hpp"
#include "protocol/schema/specification.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud {
namespace {

using schema::place;
using schema::section;

/// Calls `take` with each piece until it returns false; the failure is errno, 0 for none.
template <class Take>
int read_pieces(int fd, const Take& take) {
  std::vector<char> room(limits::read_bytes);
  for (;;) {
    const auto count = ::read(fd, room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0 || !take(std::string_view{room.data(), static_cast<std::size_t>(count)})) {
      return 0;
    }
  }
}

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
  const bool is_stdin = path == "-";
  const reader::descriptor opened{is_stdin ? ::dup(STDIN_FILENO)
                                           : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  schema::schemas_reader reader{asks};
  std::string text;  // as long as it may be a specification
  const int failed = !opened ? errno : read_pieces(opened.get(), [&](std::string_view bytes) {
    reader.feed(bytes);
    const bool is_read_in_pieces = reader.what() == schema_document::format::provider_schemas;
    if (is_read_in_pieces) text = {};
    if (!is_read_in_pieces) text.append(bytes);
    return text.size() <= limits::specification_bytes;
  });
  const std::string name = is_stdin ? "standard input" : path;
  if (failed != 0) {
    made.failure = name + " can't be read: " + std::strerror(failed);
    return made;
  }
  if (text.size() > limits::specification_bytes) {
    made.failure = name + " has more than " +
                   std::to_string(limits::specification_bytes / limits::mib) +
                   " MiB, and is not what `tofu providers schema -json` prints";
    return made;
  }
  auto read = reader.finish();
  made.what = reader.what();
  if (made.what == schema_document::format::provider_schemas || schema::has_error(read.findings)) {
    made.types = std::move(read.found);
    made.findings = std::move(read.findings);
  } else {
    read_as_specification(text, asks, made);
  }
  return made;
}

}  // namespace tofud
