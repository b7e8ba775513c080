#include "daemon/cli/recovery/errors.hpp"

namespace tofud::recovery {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_state, "can't take {} as a state: {}"},
      {error::remote_state,
       "the state of this directory is kept by the backend {}: run tofu state pull > state.json, "
       "and give --state state.json"},
  });
  return sentences[what];
}

}  // namespace tofud::recovery
