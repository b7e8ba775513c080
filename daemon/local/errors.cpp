#include "daemon/local/errors.hpp"

namespace tofud::local {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_document, "what the worker was told can't be read: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::local
