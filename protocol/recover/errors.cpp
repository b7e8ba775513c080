#include "protocol/recover/errors.hpp"

namespace tofud::recover {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_json, "{} is {}"},
      {error::too_many_objects, "it has more than {} objects"},
      {error::no_resources, "resources is no array"},
      {error::no_object, "{} is no object"},
      {error::no_array, "{} is no array"},
      {error::nested_too_deep, "{} is nested too deep"},
      {error::no_address, "{}.address is no address of a resource"},
      {error::encrypted,
       "it is encrypted, and only OpenTofu has the key; give what `tofu show -json` writes of the "
       "state"},
      {error::other_version,
       "it is a state file of version {}, not 4; give what `tofu show -json` writes of the state"},
      {error::torn, "it is cut off, or no JSON object at all; a backup may stand beside it"},
      {error::plan, "it is a plan; give what `tofu show -json` writes of the state"},
      {error::no_state, "it is no state; give what `tofu show -json` writes of the state"},
  });
  return sentences[what];
}

}  // namespace tofud::recover
