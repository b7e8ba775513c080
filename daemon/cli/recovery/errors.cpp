#include "daemon/cli/recovery/errors.hpp"

namespace tofud::recovery {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_state, "can't use {} as a state: {}"},
      {error::remote_state,
       "the backend {} stores the state of this directory; run tofu state pull > state.json, and "
       "give --state state.json"},
  });
  return sentences[what];
}

}  // namespace tofud::recovery
