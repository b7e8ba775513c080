// What a token may be used for.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::access {

enum class scope : std::uint8_t {
  read,    // rows, pages, the feed
  ingest,  // sending runs
  raw,     // streams as they were printed, but for what redaction took
};

std::string_view name(scope one);

/// None of them holds another.
struct scopes {
  bool read = false, ingest = false, raw = false;

  bool has(scope one) const;
  bool operator==(const scopes&) const = default;
};

inline constexpr scopes every_scope{true, true, true};

/// `read,ingest,raw` or some of them.
text::result<scopes> parse_scopes(std::string_view list);
/// The same list.
std::string to_string(const scopes& those);

}  // namespace tofud::access
