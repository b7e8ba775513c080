// Any bytes as a file in OpenTofu's native syntax, and as an expression of it.
#include "protocol/config/native_file.hpp"
#include "protocol/config/targets.hpp"
#include "tests/fuzz/declared.hpp"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud::config;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  tofud::fuzz::check_declared(text, read_native_file("f", text));
  for (const lexed_as kind : {lexed_as::body, lexed_as::template_text}) {
    find_targets(text, kind, {}, quoted_as::address, tofud::fuzz::check_target);
  }
  return 0;
}
