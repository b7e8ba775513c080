// Any bytes as the output of `providers schema -json`. It is the same in whatever pieces it comes,
// what is written of it says the same, and every type can be drawn.
#include "protocol/schema/human.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/schemas_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tofud::schema {
namespace {

void demand(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

bool all(const place&) { return true; }

template <class Reader>
auto read(std::string_view text, std::size_t piece) {
  Reader reader{all};
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  return reader.finish();
}

void draw(const schemas& found) {
  for (const auto& [address, of] : found.providers) {
    for (const auto* types : {&of.resources, &of.data_sources, &of.ephemeral_resources}) {
      for (const auto& [name, each] : *types) {
        const std::string text = describe(name, each, 40);
        demand(text.ends_with('\n'), "no newline at the end");
        demand(text.find('\x1b') == std::string::npos, "a control character");
      }
    }
  }
}

}  // namespace
}  // namespace tofud::schema

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofud::schema;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto whole = read<schemas_reader>(text, size + 1);
  const auto pieces = read<schemas_reader>(text, 3);
  demand(whole.found == pieces.found, "pieces change what is found");
  demand(whole.findings.size() == pieces.findings.size(), "pieces change what is wrong");
  for (const finding& each : whole.findings) demand(!each.what.empty(), "nothing is said");
  draw(whole.found);
  const auto again = read<schemas_reader>(write_provider_schemas(whole.found), 64);
  demand(again.findings.empty(), "what is written has mistakes");
  demand(again.found == whole.found, "what is written is something else");
  return 0;
}
