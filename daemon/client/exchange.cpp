#include "daemon/client/exchange.hpp"

#include "daemon/client/limits.hpp"
#include "protocol/text/readable.hpp"
#include "protocol/upload/limits.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include <utility>

namespace tofud::client {

answered ask(const place& to, std::string_view method, const std::string& target) {
  return ask(to, {std::string{method}, target});
}

answered ask(const place& to, request asked, patience waits) {
  boost::asio::io_context io{1};
  http_client client{io, to, waits};
  answered got = failure{trouble::silent, "no daemon was asked"};
  client.exchange(std::move(asked), [&got](answered answer) { got = std::move(answer); });
  io.run();
  return got;
}

failure meaning_of(const response& given, const place& from) {
  boost::json::error_code failed;
  const auto body = boost::json::parse(given.body, failed);
  const auto* object = failed ? nullptr : body.if_object();
  const auto* said = object == nullptr ? nullptr : object->if_contains("message");
  if (said == nullptr || !said->is_string()) {
    return {trouble::other_server, "what answers at " + from.shown + " is not a tofud daemon (" +
                                       std::to_string(given.status) + ")"};
  }
  // It goes to a terminal, or into the log of a job.
  const std::string sentence = text::beginning(
      text::readable_line(std::string_view{said->get_string()}), limits::told_message_bytes);
  if (given.status == 404 || given.status == 410) return {trouble::not_found, sentence};
  return {trouble::refused, "tofud at " + from.shown + " refused: " + sentence};
}

}  // namespace tofud::client
