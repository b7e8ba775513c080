#include "daemon/forward/errors.hpp"

namespace tofud::forward {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::hidden_values_gone, "the hidden values of its plan are no longer in {}"},
      {error::not_sent, "run {} is not sent to {}: {}"},
      {error::sent_already, "another tofud is already sending it"},
      {error::no_stream, "{} is not a file; name a stored stream"},
      {error::compressed, "{} is compressed; uncompress it with gunzip first"},
      {error::no_daemon,
       "no daemon listens on the default socket; name one with --server, such as --server "
       "http://127.0.0.1:8638"},
  });
  return sentences[what];
}

}  // namespace tofud::forward
