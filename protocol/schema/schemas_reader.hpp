// The model of the types that are asked for, out of the output of `providers schema -json`.
#pragma once

#include "protocol/schema/finding.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/schema/schemas_scanner.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace tofud::schema {

/// What stands at a place of the document; nullptr: nothing that was read.
const object_schema* find(const schemas& all, const place& where);

struct schemas_read {
  schemas found;
  /// With an error, or a warning for each schema that is not among the found ones.
  std::vector<finding> findings = {};
};

/// Fed a document of any size. Memory: what is asked for, at most limits::schemas_bytes of JSON,
/// and one schema's text.
class schemas_reader {
 public:
  explicit schemas_reader(schemas_scanner::wanted asks);
  ~schemas_reader();
  schemas_reader(schemas_reader&&) noexcept;
  schemas_reader& operator=(schemas_reader&&) noexcept;

  void feed(std::string_view bytes);
  schemas_scanner::document what() const;

  /// After the last bytes. What was read before an error, and what is right beside a schema that
  /// is not, is there.
  schemas_read finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
  schemas_scanner scanner_;
};

}  // namespace tofud::schema
