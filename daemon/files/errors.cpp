#include "daemon/files/errors.hpp"

namespace tofud::files {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::unreadable, "can't read {}: {}"},
      {error::directory, "{} is a directory; name a file in it"},
      {error::stream_directory, "{} is a directory; name the stream in it"},
      {error::irregular, "{} is no regular file; write the values into one"},
      {error::large_text, "{} is larger than {} KiB"},
      {error::growing, "{} grows while it is read"},
      {error::large_document,
       "{} has more than {} MiB, which is the most that is read of a document"},
      {error::torn, "{} ends in the middle of its compressed data"},
      {error::badly_compressed, "{} {}"},
      {error::no_memory, "no memory for what is attached: {}"},
      {error::unwritable, "can't write {}: {}"},
      {error::link_of_another, "can't write {}: it is a link that another user has put there"},
      {error::no_file, "{} is no file"},
  });
  return sentences[what];
}

}  // namespace tofud::files
