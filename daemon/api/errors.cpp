#include "daemon/api/errors.hpp"

namespace tofud::api {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_status,
       "--status '{}' is unknown; use running, succeeded, failed, interrupted, lost or unknown"},
      {error::no_label, "--label '{}' is not KEY=VALUE"},
      {error::no_time, "{} '{}' is neither {}, nor the id of a run"},
      {error::fault, "internal error in tofud: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::api
