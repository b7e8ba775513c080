// What a JSON document that somebody hands in is.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::plan {

enum class document_kind : std::uint8_t {
  plan,              // `tofu show -json PLAN`
  state,             // `tofu show -json`
  state_file,        // terraform.tfstate itself
  provider_schemas,  // `tofu providers schema -json`
  stream,            // lines of UI messages
  other,
};

/// By the names of the members; what is in them may be wrong.
document_kind kind_of(std::string_view text);

}  // namespace tofud::plan
