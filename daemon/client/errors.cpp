#include "daemon/client/errors.hpp"

#include "daemon/client/place.hpp"

namespace tofud::client {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_socket,
       "'{}' is not a daemon's address: a socket path begins with /, such as "
       "unix:/run/tofud/tofud.sock"},
      {error::long_socket, "'{}' is not a daemon's address: a socket path has at most {} bytes"},
      {error::zero_byte, "'{}' is not a daemon's address: it contains a zero byte"},
      {error::more_than_a_place,
       "'{}' is not a daemon's address: it has more than a host, a port and a path; write one such "
       "as http://127.0.0.1:8638"},
      {error::bad_path, "'{}' is not a daemon's address: {}"},
      {error::no_port,
       "'{}' is not a daemon's address: the port is missing; write one such as "
       "http://127.0.0.1:8638"},
      {error::bad_port, "'{}' is not a daemon's address: a port is a number from 1 to 65535"},
      {error::not_encrypted,
       "'{}' is not accepted: other machines need https://; without TLS, forward their port to "
       "this machine with `ssh -L`"},
      {error::bad_host, "'{}' is not a daemon's address: the part before the port is not a host"},
      {error::no_address,
       "'{}' is not a daemon's address; write https://HOST:PORT, http://HOST:PORT or "
       "unix:/path/to.sock"},
      {error::unreadable_token, "the token file can't be used: {}"},
      {error::no_token_in_file, "the token file {} has no token in its first line"},
      {error::no_token,
       "{} contains no valid token: there is a space or a control character in it"},
      {error::no_job_token, "GitHub gave this job no token: {}"},
      {error::no_answer, "{}"},
  });
  return sentences[what];
}

text::failure failure::passed_on() const { return {error::no_answer, sentence}; }

}  // namespace tofud::client
