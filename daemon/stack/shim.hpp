// Links named `tofu` and `terraform` that lead to tofud.
#pragma once

#include <string>

namespace tofud::stack {

struct shim {
  std::string directory;  // to be put first in a PATH; empty: it could not be made
  std::string failure;    // then: why, as half a sentence
};

/// Makes the directory (0700) and the links in it, or finds them there; they stay, since the
/// programs that use them outlive us. Links that lead elsewhere, to an older tofud, are replaced.
shim make_shim(const std::string& directory, const std::string& ourselves);

}  // namespace tofud::stack
