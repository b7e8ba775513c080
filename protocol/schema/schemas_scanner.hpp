// The output of `providers schema -json` read in pieces, without keeping what nobody asked for.
#pragma once

#include "protocol/schema/finding.hpp"
#include "protocol/schema/limits.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::schema {

/// What a schema in the document is one of.
enum class section : std::uint8_t { provider, resource, data_source, ephemeral_resource, identity };

/// A section's key in the document, such as `resource_schemas`.
std::string_view key_of(section of);

/// Where a schema stands in the document.
struct place {
  std::string_view provider;  // its address
  section in = section::provider;
  std::string_view type;  // empty in the section of the provider
};

std::string path_of(const place& where);

/// Reads a document of any size. Holds names, and the text of the one schema being read if it was
/// asked for; a schema beyond limits::schema_bytes is left out, with a finding.
class schemas_scanner {
 public:
  /// Called for each schema; what it returns true for is taken. Functions are passed over.
  using wanted = std::function<bool(const place&)>;
  /// Gets each of these as JSON without white space; place and text are valid during the call.
  using take = std::function<void(const place&, std::string_view json)>;

  schemas_scanner(wanted asks, take takes);
  ~schemas_scanner();
  schemas_scanner(schemas_scanner&&) noexcept;
  schemas_scanner& operator=(schemas_scanner&&) noexcept;

  void feed(std::string_view bytes);

  /// What the members of the root that were read so far show it to be.
  enum class document : std::uint8_t { unknown, provider_schemas, specification };
  document what() const;

  /// After the last bytes: what is wrong with the document. What was taken before an error was
  /// right. A document that is JSON and has no provider schemas is no error here.
  const std::vector<finding>& finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tofud::schema
