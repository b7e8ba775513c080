// Any bytes as a file in JSON syntax, and as the manifest of modules.
#include "protocol/config/json_file.hpp"
#include "protocol/config/module_manifest.hpp"
#include "tests/fuzz/declared.hpp"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud::config;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  tofud::fuzz::check_declared(text, read_json_file("f", text));
  for (const problem& each : read_manifest("f", text).problems) {
    tofud::fuzz::check_place(text, each.where);
  }
  return 0;
}
