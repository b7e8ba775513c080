// Any bytes as a Provider Code Specification. Each mistake has words; one without mistakes gives a
// model in which everything has a name and can be drawn.
#include "protocol/schema/human.hpp"
#include "protocol/schema/limits.hpp"
#include "protocol/schema/specification.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace tofud::schema;

void demand(bool holds) {
  if (!holds) std::abort();
}

template <class Named>
void demand_order(const std::vector<Named>& all) {
  demand(std::is_sorted(all.begin(), all.end(), [](const Named& one, const Named& other) {
    return one.name < other.name;
  }));
  // No name exists twice, and none is empty.
  for (std::size_t i = 0; i < all.size(); ++i) {
    demand(!all[i].name.empty() && (i == 0 || all[i - 1].name != all[i].name));
  }
}

void look_at(const std::vector<attribute>& all) {
  demand_order(all);
  for (const attribute& each : all) {
    demand(each.required || each.optional || each.computed);
    if (each.nested) look_at(each.nested->attributes);
  }
}

void look_at(const block& of) {
  look_at(of.attributes);
  demand_order(of.blocks);
  for (const block_type& each : of.blocks) look_at(each.block);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace json = tofud::json;
  const std::string text{reinterpret_cast<const char*>(data), size};
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  if (parser.parse(text)) return 0;
  const auto findings = check_specification(parser.root());
  demand(findings.size() <= tofud::limits::schema_findings);
  for (const finding& each : findings) demand(!each.what.empty());
  if (has_error(findings)) return 0;
  const specification read = read_specification(parser.root());
  demand(!read.provider_name.empty());
  for (const auto* types : {&read.types.resources, &read.types.data_sources}) {
    for (const auto& [name, each] : *types) {
      demand(name.starts_with(read.provider_name + "_"));
      look_at(each.block);
      demand(describe(name, each, 40).find('\x1b') == std::string::npos);
    }
  }
  return 0;
}
