#include "daemon/spool/errors.hpp"

namespace tofud::spool {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::nothing_kept,
       "no run is kept{}; `tofu apply -json … | tofud` keeps one, and the path of a recorded "
       "stream will do too"},
      {error::not_kept, "no run '{}' is kept{}; `tofud ls` lists them"},
      {error::ambiguous, "'{}' is the beginning of {} runs ({}); give more of it"},
  });
  return sentences[what];
}

}  // namespace tofud::spool
