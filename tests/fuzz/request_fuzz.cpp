// Any bytes as what a client asks: a query string of the feed, and an address.
#include "protocol/feed/request.hpp"
#include "protocol/ui/resource_address.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto asked = tofud::feed::parse_stream_request(text);
  if (!asked) {
    // A refusal names what is wrong.
    if (asked.error().message.empty()) std::abort();
  } else {
    tofud::feed::row_facts facts{tofud::feed::row_kind::resource, text, "module.a",
                                 "null_resource"};
    (void)asked->wanted.passes(facts);
  }
  if (const auto parts = tofud::ui::parse_address(text)) {
    const bool within = parts->module.size() + parts->resource.size() <= text.size();
    if (!within || parts->type.empty()) std::abort();
  }
  return 0;
}
