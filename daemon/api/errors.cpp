#include "daemon/api/errors.hpp"

namespace tofud::api {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_status,
       "--status '{}' is none; they are running, succeeded, failed, interrupted and lost"},
      {error::no_label, "--label '{}' is no KEY=VALUE"},
      {error::no_time, "{} '{}' is neither {}, nor the id of a run"},
      {error::fault, "a fault of tofud: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::api
