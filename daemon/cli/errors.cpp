#include "daemon/cli/errors.hpp"

namespace tofud::cli {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::not_kept, "no run '{}' is stored here or at {}; `tofud ls` lists the runs"},
  });
  return sentences[what];
}

}  // namespace tofud::cli
