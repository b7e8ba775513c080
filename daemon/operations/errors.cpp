#include "daemon/operations/errors.hpp"

namespace tofud::operations {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::no_sockets, "LISTEN_FDS: the given sockets can't be used: {}"},
      {error::no_stream_socket,
       "LISTEN_FDS: descriptor {} ({}) is not a listening stream socket; the socket unit needs "
       "ListenStream= and must not have Accept=yes"},
      {error::audit_not_opened, "audit.file: {} can't be opened: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::operations
