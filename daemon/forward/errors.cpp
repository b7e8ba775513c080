#include "daemon/forward/errors.hpp"

namespace tofud::forward {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::hidden_values_gone, "the values of its plan that are hidden are not in {} any more"},
      {error::not_sent, "run {} is not sent to {}: {}"},
      {error::sent_already, "another tofud is sending it already"},
      {error::no_stream, "{} is no file; name a kept stream"},
      {error::compressed,
       "{} is compressed, and a stream is sent as it was printed; gunzip it first"},
      {error::no_daemon,
       "no daemon listens at its usual socket; say which with --server, as in --server "
       "http://127.0.0.1:8638"},
  });
  return sentences[what];
}

}  // namespace tofud::forward
