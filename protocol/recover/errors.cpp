#include "protocol/recover/errors.hpp"

namespace tofud::recover {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_json, "{} is {}"},
      {error::too_many_objects, "it has more than {} objects"},
      {error::no_resources, "resources is not an array"},
      {error::no_object, "{} is not an object"},
      {error::no_array, "{} is not an array"},
      {error::nested_too_deep, "{} is nested too deep"},
      {error::no_address, "{}.address is not the address of a resource"},
      {error::encrypted,
       "it is encrypted, and only OpenTofu has the key; give the output of `tofu show -json` for "
       "the state"},
      {error::other_version,
       "it is a state file of version {}, not 4; give the output of `tofu show -json` for the "
       "state"},
      {error::torn, "it is truncated or not a JSON object; there may be a backup beside it"},
      {error::plan, "it is a plan; give the output of `tofu show -json` for the state"},
      {error::no_state, "it is not a state; give the output of `tofu show -json` for the state"},
  });
  return sentences[what];
}

}  // namespace tofud::recover
