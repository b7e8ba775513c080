#include "daemon/telemetry/errors.hpp"

namespace tofud::telemetry {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::bad_endpoint,
       "{} holds no address of a collector; it has to be like http://127.0.0.1:4318"},
      {error::bad_pairs, "{} has to be a list such as key1=value1,key2=value2"},
      {error::bad_timeout, "{} has to be a number of milliseconds up to {}"},
      {error::other_protocol,
       "{} names {}; tofud sends http/json, which a collector takes at the same address as "
       "http/protobuf (port 4318)"},
      {error::other_exporter, "{} names {}; tofud sends to a collector (otlp), or to none"},
      {error::unreadable, "the headers for the collector: {}"},
      {error::unanswered, "the collector did not answer: {}"},
      {error::bad_status, "the collector answered with status {}"},
      {error::rejected, "the collector did not keep {} spans: {}"},
  });
  return sentences[what];
}

}  // namespace tofud::telemetry
