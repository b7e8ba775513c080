// A document of schemas with only the types that are asked for, small enough to send.
#pragma once

#include "protocol/schema/finding.hpp"
#include "protocol/schema/schemas_scanner.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::schema {

/// Fed the output of `providers schema -json`, of any size. Memory: what is asked for, at most
/// limits::schemas_bytes, and one schema's text.
class schemas_extract {
 public:
  explicit schemas_extract(schemas_scanner::wanted asks);
  ~schemas_extract();
  schemas_extract(schemas_extract&&) noexcept;
  schemas_extract& operator=(schemas_extract&&) noexcept;

  void feed(std::string_view bytes);

  struct reduced {
    std::string document;           // of the same format; complete whatever was found
    std::vector<finding> findings;  // an error, or a warning for each schema that was left out
  };
  reduced finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
  schemas_scanner scanner_;
};

}  // namespace tofud::schema
