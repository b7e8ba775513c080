// Any bytes as a JSON text: read as Boost.JSON reads them, or refused where it refuses them.
#include "protocol/json/document.hpp"
#include "protocol/json/limits.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

namespace json = tofud::json;

void require(bool holds) {
  if (!holds) std::abort();
}

json::keep by_name(std::string_view /*top*/, std::size_t /*depth*/, std::string_view key) {
  return key.starts_with('r')   ? json::keep::raw
         : key.starts_with('s') ? json::keep::skip
         : key.starts_with('m') ? json::keep::mark
                                : json::keep::tree;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  boost::json::parse_options as_deep;
  as_deep.max_depth = tofud::limits::json_depth;
  boost::json::error_code refused;
  const boost::json::value other =
      boost::json::parse({text.data(), text.size()}, refused, {}, as_deep);
  // A number of ours keeps its text, whatever it is.
  const bool too_large = refused == boost::json::error::exponent_overflow;

  json::document_parser everything{json::keep_everything}, some{by_name};
  const auto failed = everything.parse(text);
  require(failed == some.parse(text));
  require(everything.consumed() <= size && some.consumed() == everything.consumed());
  if (!too_large) require(failed.has_value() == bool(refused));
  if (!refused) {
    std::string written;
    everything.root().append_json(written);
    // As texts: it reads 0e400 as what is not equal to itself.
    const boost::json::value again = boost::json::parse(written, refused, {}, as_deep);
    require(!refused && boost::json::serialize(again) == boost::json::serialize(other));
  }
  // What was read before an error can be written.
  for (const auto* parser : {&everything, &some}) {
    std::string written;
    parser->root().append_json(written);
    boost::json::parse(written.empty() ? "null" : written, refused, {}, as_deep);
    require(!refused || refused == boost::json::error::exponent_overflow);
  }
  return 0;
}
