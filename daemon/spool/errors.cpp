#include "daemon/spool/errors.hpp"

namespace tofud::spool {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::nothing_kept,
       "no run is stored{}; `tofu apply -json … | tofud` stores one (the path of a recorded stream "
       "works too)"},
      {error::not_kept, "no run '{}' is stored{}; `tofud ls` lists the runs"},
      {error::ambiguous, "'{}' is the beginning of {} run ids ({}); give more of it"},
  });
  return sentences[what];
}

}  // namespace tofud::spool
