#include "daemon/local/errors.hpp"

namespace tofud::local {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_document, "the worker's description of the run can't be read: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::local
