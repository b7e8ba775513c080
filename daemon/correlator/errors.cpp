#include "daemon/correlator/errors.hpp"

namespace tofud::correlator {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::torn_snapshot, "the snapshot is damaged"},
      {error::other_build, "the snapshot is of the build {}, and this one is {}"},
      {error::other_stream, "the snapshot is of run {}, not of {}"},
      {error::other_attachments,
       "the snapshot was made with {} attached documents, but there are {}"},
  });
  return sentences[what];
}

}  // namespace tofud::correlator
