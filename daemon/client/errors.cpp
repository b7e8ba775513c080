#include "daemon/client/errors.hpp"

#include "daemon/client/place.hpp"

namespace tofud::client {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_socket,
       "'{}' names no daemon: a socket's path begins with /, such as unix:/run/tofud/tofud.sock"},
      {error::long_socket, "'{}' names no daemon: the path of a socket has at most {} bytes"},
      {error::zero_byte, "'{}' names no daemon: there is a zero byte in it"},
      {error::more_than_a_place,
       "'{}' names no daemon: it has more than a host, a port and a path, as in "
       "http://127.0.0.1:8638"},
      {error::bad_path, "'{}' names no daemon: {}"},
      {error::no_port, "'{}' names no daemon: say the port as well, as in http://127.0.0.1:8638"},
      {error::bad_port, "'{}' names no daemon: a port is a number from 1 to 65535"},
      {error::not_encrypted,
       "'{}' names no daemon: other machines are spoken to in https:// only; without TLS there is "
       "`ssh -L`, which brings another machine's port here"},
      {error::bad_host, "'{}' names no daemon: what stands before the port names no host"},
      {error::no_address,
       "'{}' names no daemon: it is none of https://HOST:PORT, http://HOST:PORT and "
       "unix:/path/to.sock"},
      {error::unreadable_token, "the token file can't be used: {}"},
      {error::no_token_in_file, "the token file {} has no token in its first line"},
      {error::no_token, "{} holds no token: there is a space or worse in it"},
      {error::no_answer, "{}"},
  });
  return sentences[what];
}

text::failure failure::passed_on() const { return {error::no_answer, sentence}; }

}  // namespace tofud::client
