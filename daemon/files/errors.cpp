#include "daemon/files/errors.hpp"

namespace tofud::files {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::unreadable, "can't read {}: {}"},
      {error::directory, "{} is a directory; name a file"},
      {error::stream_directory, "{} is a directory; name a stream file"},
      {error::irregular, "{} is not a regular file"},
      {error::large_text, "{} is larger than {} KiB"},
      {error::growing, "{} grew while it was being read"},
      {error::large_document, "{} is larger than {} MiB, the limit for a document"},
      {error::torn, "{} is truncated: its compressed data ends too early"},
      {error::badly_compressed, "{} {}"},
      {error::no_memory, "not enough memory for attachments: {}"},
      {error::unwritable, "can't write {}: {}"},
      {error::link_of_another, "can't write {}: it is a link made by another user"},
      {error::no_file, "{} is not a file"},
  });
  return sentences[what];
}

}  // namespace tofud::files
