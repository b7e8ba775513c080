#include "daemon/operations/errors.hpp"

namespace tofud::operations {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_sockets, "LISTEN_FDS: the sockets that were given can't be taken: {}"},
      {error::no_stream_socket,
       "LISTEN_FDS: descriptor {} ({}) is no listening stream socket; a socket unit for tofud has "
       "ListenStream= and no Accept=yes"},
  });
  return sentences[what];
}

}  // namespace tofud::operations
