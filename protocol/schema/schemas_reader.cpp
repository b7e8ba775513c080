#include "protocol/schema/schemas_reader.hpp"

#include "protocol/json/document.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/text/sizes.hpp"

#include <string>
#include <utility>

namespace tofud::schema {
namespace {

/// Of a provider, const or not; nullptr in the section of its own schema.
template <class Provider>
auto* types_in(Provider& of, section in) {
  switch (in) {
    case section::provider:
      break;
    case section::resource:
      return &of.resources;
    case section::data_source:
      return &of.data_sources;
    case section::ephemeral_resource:
      return &of.ephemeral_resources;
    case section::identity:
      return &of.identities;
  }
  return static_cast<decltype(&of.resources)>(nullptr);
}

}  // namespace

const object_schema* find(const schemas& all, const place& where) {
  const auto provider = all.providers.find(where.provider);
  if (provider == all.providers.end()) return nullptr;
  const auto* types = types_in(provider->second, where.in);
  if (types == nullptr) {
    const auto& own = provider->second.configuration;
    return own ? &*own : nullptr;
  }
  const auto found = types->find(where.type);
  return found == types->end() ? nullptr : &found->second;
}

struct schemas_reader::state {
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  schemas_read done;
  std::size_t bytes = 0;

  void leave_out(const place& where, const std::string& what) {
    done.findings.push_back({finding::weight::warning, path_of(where), what});
  }

  void add(const place& where, object_schema one) {
    auto& of = done.found.providers[std::string{where.provider}];
    auto* types = types_in(of, where.in);
    if (types == nullptr) {
      of.configuration = std::move(one);
    } else {
      types->insert_or_assign(std::string{where.type}, std::move(one));
    }
  }

  void take(const place& where, std::string_view text) {
    if (bytes + text.size() > limits::schemas_bytes) {
      return leave_out(where, "is ignored: with it, there would be more than " +
                                  std::to_string(limits::schemas_bytes / limits::mib) +
                                  " MiB of schemas");
    }
    if (const auto failed = parser.parse(text)) {
      return leave_out(where, "is ignored: " + std::string{describe(*failed)});
    }
    auto read = where.in == section::identity ? read_identity_schema(parser.root(), path_of(where))
                                              : read_object_schema(parser.root(), path_of(where));
    if (!read) {
      done.findings.push_back(
          {finding::weight::warning, {}, read.error().text() + "; it is ignored"});
      return;
    }
    bytes += text.size();
    add(where, std::move(*read));
  }
};

schemas_reader::schemas_reader(schemas_scanner::wanted asks)
    : state_{std::make_unique<state>()},
      scanner_{std::move(asks), [into = state_.get()](const place& where, std::string_view text) {
                 into->take(where, text);
               }} {}
schemas_reader::~schemas_reader() = default;
schemas_reader::schemas_reader(schemas_reader&&) noexcept = default;
schemas_reader& schemas_reader::operator=(schemas_reader&&) noexcept = default;

void schemas_reader::feed(std::string_view bytes) { scanner_.feed(bytes); }

schemas_scanner::document schemas_reader::what() const { return scanner_.what(); }

schemas_read schemas_reader::finish() {
  const auto& of_the_document = scanner_.finish();
  schemas_read done = std::exchange(state_->done, {});
  done.findings.insert(done.findings.end(), of_the_document.begin(), of_the_document.end());
  return done;
}

}  // namespace tofud::schema
